import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { codex } from '../src/engines/codex.ts';
import type { RunRequest } from '../src/engines/engine.ts';
import { workerEnvironment } from '../src/process/environment.ts';
import { delegateInstructions } from '../src/mcp/prompts/delegate.ts';
import { type Workbench, workerModel } from './delegates.ts';

/** Milliseconds from the start of the CLI. */
export interface BareRun {
  /** Its last word was read. */
  readonly completed: number;
  readonly exited: number;
}

/** Runs Codex with the arguments, input and environment a delegation gives it, and nothing around it. */
export async function bareCodex(bench: Workbench, prompt: string): Promise<BareRun> {
  const request = requestFor(bench, prompt);
  const { args, env } = codex.launch(request);
  const environment = workerEnvironment({
    from: process.env,
    allow: codex.environment,
    set: bench.environment,
    path: process.env.PATH ?? '',
    runId: randomUUID(),
    depth: 1,
  });
  const start = performance.now();
  const child = spawn(bench.codex, args, { cwd: bench.workspace, env: { ...environment, ...env }, detached: true });
  let output = '';
  let completed: number | undefined;
  child.stderr.resume();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.includes('"turn.completed"')) completed ??= performance.now() - start;
  });
  for (const action of codex.conversation(request).start()) {
    if (action.kind === 'write') child.stdin.write(`${action.line}\n`);
    else child.stdin.end();
  }
  await once(child, 'close');
  if (child.exitCode !== 0 || completed === undefined) throw new Error(`the bare CLI failed: ${output.slice(-500)}`);
  return { completed, exited: performance.now() - start };
}

function requestFor(bench: Workbench, prompt: string): RunRequest {
  return {
    prompt,
    instructions: delegateInstructions,
    access: 'workspaceWrite',
    cwd: bench.workspace,
    model: workerModel,
    web: false,
    unsandboxedConsent: true,
    newSessionId: randomUUID(),
    scratch: bench.folder,
  };
}
