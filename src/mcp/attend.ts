import type { Clock } from '../base/clock.ts';
import { oneLine } from '../base/displayText.ts';
import { DisposableStore, toDisposable } from '../base/disposable.ts';
import type { Behind, Delegation, LiveRun, RunPhase } from '../delegation/task.ts';
import { resultOf, stillRunning } from './resultText.ts';
import type { McpSettings, ToolResult } from './tool.ts';

/** Clients give up after 60 s of silence and people after less; leaves room for a slow pipe below the promised 10 s. */
const heartbeatMs = 8_000;
/** Steps can follow each other fast; a client is told at most this often. */
const leastGapMs = 1_000;

/** One call that waits for a run. */
export interface Attendance {
  delegation: Delegation;
  clock: Clock;
  settings: McpSettings;
  /** Aborted when the client cancels the call, gives up on it, or is gone. */
  signal: AbortSignal;
  /** The run ends with the call. Not so when the caller only came to look at a run that somebody else asked for. */
  cancelsRun: boolean;
  /** Tells the client what is going on. Absent when it gave no progress token. */
  report: ((message: string) => void) | undefined;
}

/**
 * Waits for a run and answers with its result. With a progress token it waits to the end and keeps the client awake;
 * without one it answers "still running" after `maxWaitMs`, because such a client gives up in silence.
 */
export async function attend(run: LiveRun, call: Attendance): Promise<ToolResult> {
  const owned = new DisposableStore();
  try {
    const gone = whenAborted(call.signal, owned, () => call.cancelsRun && run.cancel());
    if (call.report) reportProgress(run, call, call.report, owned);
    const enough = call.report ? [] : [timer(call.clock, call.settings.maxWaitMs, owned)];
    const ended = await Promise.race([run.result, ...enough, ...(call.cancelsRun ? [] : [gone])]);
    const answer = ended
      ? resultOf(ended, call.settings.resultMaxChars)
      : stillRunning(run.handle, describe(run, call.clock));
    if (!call.signal.aborted) call.delegation.noteReturned(run.id, answer.text.length);
    return answer;
  } finally {
    owned.dispose();
  }
}

function timer(clock: Clock, ms: number, owned: DisposableStore): Promise<undefined> {
  return new Promise((resolve) => owned.add(clock.after(ms, () => resolve(undefined))));
}

function whenAborted(signal: AbortSignal, owned: DisposableStore, act: () => void): Promise<undefined> {
  return new Promise((resolve) => {
    const onAbort = () => {
      act();
      resolve(undefined);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
    owned.add(toDisposable(() => signal.removeEventListener('abort', onAbort)));
  });
}

/** Reports every new step, and again when nothing was said for a while. */
function reportProgress(
  run: LiveRun,
  call: Attendance,
  report: (message: string) => void,
  owned: DisposableStore,
): void {
  let said = '';
  let saidAt = -Infinity;
  let next = toDisposable(() => undefined);
  owned.add(toDisposable(() => next.dispose()));
  const say = () => {
    said = stepOf(run.phase);
    saidAt = call.clock.now();
    report(describe(run, call.clock));
    schedule(heartbeatMs);
  };
  const schedule = (ms: number) => {
    next.dispose();
    next = call.clock.after(ms, say);
  };
  const onChange = (changed: LiveRun) => {
    if (changed !== run || run.phase.kind === 'ended' || stepOf(run.phase) === said) return;
    const wait = saidAt + leastGapMs - call.clock.now();
    if (wait > 0) schedule(wait);
    else say();
  };
  owned.add(call.delegation.onDidChange(onChange));
  say();
}

function describe(run: LiveRun, clock: Clock): string {
  const seconds = Math.max(0, Math.round((clock.now() - run.record.startedAt) / 1000));
  return `${run.record.engine}: ${stepOf(run.phase)}, ${seconds} s`;
}

const waitsFor: Readonly<Record<Behind, string>> = {
  session: 'waiting for the run before it in its session',
  checkout: 'waiting for another run that writes in the same checkout',
};

function stepOf(phase: RunPhase): string {
  switch (phase.kind) {
    case 'waiting':
      if (phase.behind) return waitsFor[phase.behind];
      return phase.ahead > 0 ? `waiting for a free place, ${phase.ahead} ahead` : 'starting';
    case 'running':
      return oneLine(phase.step, 160) || 'working';
    case 'retrying':
      return `retrying: ${oneLine(phase.detail, 160)}`;
    case 'stopping':
      return 'stopping';
    case 'ended':
      return 'ended';
  }
}
