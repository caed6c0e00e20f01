import { spawn } from 'node:child_process';
import { parse } from 'node:path';
import { depthVariable, runVariable } from './marker.ts';

/**
 * How to start src/process/guardMain.ts: its bundle under the editor's own runtime (with ELECTRON_RUN_AS_NODE=1), or the
 * source under Node. `file` is absolute, `env` complete.
 */
export interface GuardProgram {
  file: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** The guard of one run. */
export interface Guard {
  /** The run has ended and was swept: the guard leaves without doing anything. */
  dismiss(): void;
}

/**
 * Starts a process that outlives this one, however this one ends, and then ends the run. It learns of our end by its
 * standard input, which nobody else holds. `onLost` hears when it could not be started or ended too early. Nothing waits
 * for it.
 */
export function startGuard(program: GuardProgram, runId: string, pid: number, onLost: (why: string) => void): Guard {
  // It must outlive a sweep of the run, and of a run that this process may itself be part of.
  const env = { ...program.env, [runVariable]: undefined, [depthVariable]: undefined };
  const guard = spawn(program.file, [...program.args, runId, String(pid)], {
    // The root, so that the guard keeps no folder of the person's in use.
    cwd: parse(program.file).root,
    env,
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  let dismissed = false;
  guard.once('error', (error) => onLost(`The guard of the run could not be started: ${error.message}`));
  guard.once('exit', (code, signal) => {
    if (!dismissed) onLost(`The guard of the run ended early (${signal ?? code ?? 'unknown'}).`);
  });
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return {
    dismiss() {
      if (dismissed) return;
      dismissed = true;
      guard.stdin.end(dismissal);
    },
  };
}

/** What an owner writes before it closes the pipe; an end without it means that the owner died. */
export const dismissal = 'done\n';
