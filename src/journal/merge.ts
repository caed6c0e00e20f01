import type { Entry, RunRecord } from './entry.ts';

type Of<T extends Entry['type']> = Extract<Entry, { type: T }>;

/** What the entries of one run said so far, in whichever order files brought them. */
interface Draft {
  started?: Of<'started'>;
  session?: Of<'session'>;
  moved: Of<'moved'>[];
  ended?: Of<'ended'>;
  closed?: Of<'closed'>;
  charsReturned: number;
}

/** Says of an owner whether it has died. */
export type IsDead = (owner: RunRecord['owner']) => boolean;

/** Merges entries into records. A run without its `started` entry is not told. */
export class RunTable {
  readonly #drafts = new Map<string, Draft>();
  #records: { list: readonly RunRecord[]; openRuns: boolean } | undefined;

  add(entry: Entry): void {
    let draft = this.#drafts.get(entry.runId);
    if (!draft) this.#drafts.set(entry.runId, (draft = { moved: [], charsReturned: 0 }));
    apply(draft, entry);
    this.#records = undefined;
  }

  /** Owners of runs that have no end yet, each once for every run. */
  openOwners(): RunRecord['owner'][] {
    return [...this.#drafts.values()].flatMap(({ started, ended }) => (started && !ended ? [started.owner] : []));
  }

  /** Newest first. A run without an end whose owner is dead is `lost`. */
  records(isDead: IsDead): readonly RunRecord[] {
    if (!this.#records || this.#records.openRuns) {
      const drafts = [...this.#drafts.values()];
      const list = drafts
        .flatMap(({ started, ...rest }) => (started ? [recordOf(started, rest, isDead)] : []))
        .sort((a, b) => b.startedAt - a.startedAt);
      this.#records = { list, openRuns: drafts.some(({ started, ended }) => started && !ended) };
    }
    return this.#records.list;
  }
}

function apply(draft: Draft, entry: Entry): void {
  switch (entry.type) {
    case 'started':
      draft.started ??= entry;
      break;
    case 'session':
      if (!draft.session || draft.session.at <= entry.at) draft.session = entry;
      break;
    case 'moved':
      draft.moved.push(entry);
      break;
    case 'ended':
      draft.ended ??= entry;
      break;
    case 'closed':
      draft.closed ??= entry;
      break;
    case 'returned':
      draft.charsReturned += entry.chars;
      break;
  }
}

function recordOf(started: Of<'started'>, draft: Omit<Draft, 'started'>, isDead: IsDead): RunRecord {
  const { type: _type, at, engine: _engine, model: _model, effort: _effort, ...asked } = started;
  const { ended, moved, closed, charsReturned } = draft;
  const sessionId = draft.session?.sessionId ?? started.resumes;
  return {
    ...asked,
    ...tierOf(moved.at(-1) ?? started),
    startedAt: at,
    status: 'running',
    ...(sessionId !== undefined && { sessionId }),
    ...(closed && { closed: closed.why }),
    charsRead: 0,
    charsReturned,
    files: [],
    notes: [],
    moved: moved.map(({ failed }) => failed),
    ...(ended ? endOf(ended) : isDead(started.owner) && lost(closed ? undefined : sessionId)),
  };
}

function tierOf({ engine, model, effort }: Of<'started' | 'moved'>) {
  return { engine, ...(model !== undefined && { model }), ...(effort !== undefined && { effort }) };
}

function endOf({ type: _type, at, ...end }: Of<'ended'>) {
  return { ...end, endedAt: at };
}

function lost(sessionId: string | undefined) {
  const next = sessionId === undefined ? 'Run it again.' : 'Follow up on its session, or run it again.';
  const message = `The process that ran it has ended before the run did, so its result is not known. ${next}`;
  return { status: 'lost', message } as const;
}
