import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../base/clock.ts';

/** How long pipes that someone else still holds may stay silent after the process has gone. */
const quietMs = 250;
/** How often that is granted when the someone else keeps talking. */
const maxRounds = 8;

/**
 * Resolves when a started child has exited and its output has been read. A process that the child left behind may hold
 * the pipes open for ever; so after the exit it waits for their end only as long as something comes, 2 s at most, and
 * then closes them. Data listeners have been called with everything before it resolves.
 */
export function whenOutputEnded(child: ChildProcess, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null);
    let heard = false;
    for (const pipe of pipes) pipe.on('data', () => (heard = true));
    const settle = () => {
      child.stdin?.destroy();
      for (const pipe of pipes) pipe.destroy();
      resolve();
    };
    const wait = (round: number) => {
      heard = false;
      clock.after(quietMs, () => {
        // After a blocked event loop timers run before pipes are read: let them be read once more.
        setImmediate(() => (heard && round < maxRounds ? wait(round + 1) : settle()));
      });
    };
    child.once('exit', () => wait(1));
    child.once('close', settle);
  });
}

/** Why a child could not be started, for people. A missing folder and a missing program give the same system error. */
export function describeStartFailure(error: unknown, file: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT')
    return `${file} could not be started: the program or the working folder does not exist (ENOENT).`;
  if (code === 'EACCES') return `${file} could not be started: no permission to execute it (EACCES).`;
  if (code === 'E2BIG') return `${file} could not be started: its arguments and environment are too long (E2BIG).`;
  return `${file} could not be started: ${error instanceof Error ? error.message : String(error)}`;
}
