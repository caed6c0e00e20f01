import type { Clock } from '../base/clock.ts';
import { exitsWithin, killGroup, sendSignal } from './killTree.ts';

/** How long a CLI has to end on its protocol's own request, before the signal. */
const interruptMs = 250;
/** How long a CLI has to end its own commands after SIGINT. */
const signalMs = 2000;

/** A live worker, as the stop sees it. `exited` resolves when the process itself is gone. */
export interface StopTarget {
  pid: number;
  exited: Promise<void>;
  endInput(): void;
}

/**
 * Ends a worker: the protocol's own interrupt, end of input, SIGINT, 2 s, SIGKILL of its group. Resolves when the process
 * has exited; whoever started it sweeps then. SIGINT goes to the process alone: on it Codex and Claude end the commands
 * they started, each in a session of its own that no group signal reaches, and they do that in order only while their
 * helpers still live. SIGTERM would leave Codex's background commands running. In a sandbox the process is bwrap, which
 * ends on SIGINT, and everything inside with it. Windows has no such signal.
 */
export async function stopTree(target: StopTarget, clock: Clock, interrupt?: () => void): Promise<void> {
  try {
    interrupt?.();
  } catch {
    // Whatever is wrong with the polite way, the worker is ended.
  }
  target.endInput();
  if (interrupt && (await exitsWithin(target.exited, clock, interruptMs))) return;
  if (process.platform !== 'win32') {
    sendSignal(target.pid, 'SIGINT');
    if (await exitsWithin(target.exited, clock, signalMs)) return;
  }
  await killGroup(target.pid);
  await target.exited;
}
