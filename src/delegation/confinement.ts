import type { Engine } from '../engines/engine.ts';
import type { Access, Failure } from '../protocol/model.ts';
import type { Prepared, SandboxRequest } from '../sandbox/sandbox.ts';
import type { RunEnd } from './run.ts';
import type { Task } from './task.ts';

/** What holds a worker to its folder. */
export type Confinement =
  | { kind: 'sandbox' }
  /** The CLI's own, which it has for what writes and commands do. */
  | { kind: 'own' }
  /** Nothing; `why` there is no sandbox, for people. */
  | { kind: 'none'; why: string };

/** Where workers are put, if there is such a thing here. */
export interface Sandboxes {
  available(cwd: string): Promise<{ ok: true } | { ok: false; why: string }>;
  /** Throws when the sandbox cannot be made: the run fails then, and is never started outside instead. */
  prepare(request: Omit<SandboxRequest, 'repository'>): Promise<Prepared>;
}

export async function confinementOf(engine: Engine, { cwd }: Task, sandboxes: Sandboxes): Promise<Confinement> {
  const sandbox = await sandboxes.available(cwd);
  if (sandbox.ok) return { kind: 'sandbox' };
  return engine.ownSandbox ? { kind: 'own' } : { kind: 'none', why: sandbox.why };
}

/**
 * What the CLI is started with. Within the sandbox a worker that may write may do everything, since the sandbox is what
 * holds it; a CLI with a sandbox of its own is never started without either.
 */
export function launchAccess(access: Access, { kind }: Confinement): Access {
  if (access === 'readOnly' || kind === 'none') return access;
  return kind === 'sandbox' ? 'full' : 'workspaceWrite';
}

/** For a refusal: what the person could do about it instead of agreeing. */
export function lackOfSandbox(confinement: Confinement): string {
  return confinement.kind === 'none' ? ` There is no sandbox: ${confinement.why}.` : '';
}

/** What the reader of a result is told of how its worker was held. */
export function confinementNotes(engine: Engine, confinement: Confinement): string[] {
  return confinement.kind === 'none'
    ? [`[unsandboxed] ${engine.title} worked without a sandbox: ${confinement.why}.`]
    : [];
}

/** For the worker, so that it does not fight what it cannot change. */
export const guardedGit = "Git's config and hooks are read-only here.";

/** What a line of a worker's output means for the reader, when git could not write its configuration. */
export function guardedGitWarning(line: string): string | undefined {
  if (!/could not (?:write|lock) config file/.test(line)) return undefined;
  return "In the sandbox git's config and hooks are read-only: what was to be saved there, such as the upstream of `git push -u`, was not. sallyport.sandbox.allowGitConfig opens them.";
}

/** A worker that failed because there was no sandbox around it never began: bwrap says why and exits. */
export function sandboxFailure({ stderrTail, sessionId }: RunEnd, failure: Failure): Failure {
  const why = /^bwrap: (.+)$/m.exec(stderrTail)?.[1];
  if (why === undefined || sessionId !== undefined) return failure;
  return {
    reason: 'environment',
    message: `The sandbox could not be made, so nothing was started: ${why}. See sallyport.sandbox in the settings.`,
  };
}
