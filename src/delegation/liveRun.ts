import { Emitter } from '../base/event.ts';
import type { RunRecord } from '../journal/entry.ts';
import type { RunEvent } from '../protocol/model.ts';
import { formatHandle } from './handle.ts';
import type { LiveRun, RunPhase, RunResult } from './task.ts';
import type { Candidate } from './tiers.ts';

/** The one mutable picture of a run that is under way. Its owner changes it; everybody else sees a LiveRun. */
export class RunInProgress implements LiveRun {
  readonly id: string;
  readonly #abort = new AbortController();
  readonly #events = new Emitter<RunEvent>();
  readonly #changed: (run: LiveRun) => void;
  #record: RunRecord;
  #phase: RunPhase = { kind: 'waiting', ahead: 0 };
  #resolve: (result: RunResult) => void = () => undefined;

  readonly onEvent = this.#events.event;
  readonly result = new Promise<RunResult>((resolve) => (this.#resolve = resolve));
  readonly signal = this.#abort.signal;

  constructor(record: RunRecord, changed: (run: LiveRun) => void) {
    this.id = record.runId;
    this.#record = record;
    this.#changed = changed;
  }

  get record(): RunRecord {
    return this.#record;
  }

  get phase(): RunPhase {
    return this.#phase;
  }

  get handle(): string {
    return formatHandle({ engine: this.#record.engine, id: this.#record.sessionId ?? this.id });
  }

  cancel(): void {
    if (this.#abort.signal.aborted || this.#phase.kind === 'ended') return;
    this.#abort.abort();
    this.enter({ kind: 'stopping' });
  }

  enter(phase: RunPhase): void {
    if (this.#phase.kind === 'ended' || (this.#phase.kind === 'stopping' && phase.kind !== 'ended')) return;
    this.#phase = phase;
    this.#changed(this);
  }

  /** Applies what has become known. */
  learn(news: Partial<RunRecord>): void {
    this.#record = { ...this.#record, ...news };
    this.#changed(this);
  }

  /** Another engine takes over; what was the first one's alone (model, effort, level, session) goes. */
  handOver({ engine, model, effort, level }: Candidate, failed?: RunRecord['moved'][number]): void {
    const { model: _model, effort: _effort, level: _level, sessionId: _session, ...rest } = this.#record;
    this.#record = {
      ...rest,
      engine,
      ...(model !== undefined && { model }),
      ...(effort !== undefined && { effort }),
      ...(level !== undefined && { level }),
      ...(failed && { moved: [...rest.moved, failed] }),
    };
    this.#changed(this);
  }

  tell(event: RunEvent): void {
    this.#events.fire(event);
  }

  settle(result: RunResult): void {
    this.enter({ kind: 'ended' });
    this.#resolve(result);
    this.#events.dispose();
  }
}
