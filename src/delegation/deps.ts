import type { Engine } from '../engines/engine.ts';
import type { Entry, RunRecord } from '../journal/entry.ts';
import type { EngineId } from '../protocol/model.ts';
import type { AttemptDeps } from './attempt.ts';
import type { InstructionDeps } from './instructions.ts';
import type { Ladders } from './tiers.ts';
import type { Worktrees } from './worktrees.ts';

/** What of the settings the use case obeys. Read anew for every run. */
export interface DelegationSettings extends Ladders {
  /** A follow-up without `mode` may write although its session began read-only. */
  allowWiden: boolean;
  maxParallelRuns: number;
  /** Every worker is told to be terse. */
  terseWorkers: boolean;
}

/** What the use case needs of the journal. */
export interface RunJournal {
  append(entry: Entry): Promise<void>;
  /** All known runs, newest first. */
  read(): Promise<RunRecord[]>;
}

export interface DelegationDeps extends AttemptDeps, InstructionDeps {
  settings(): DelegationSettings;
  engines: ReadonlyMap<EngineId, Engine>;
  journal: RunJournal;
  owner: RunRecord['owner'];
  worktrees: Worktrees;
  /** Why no run can be carried out any more, with what to do; undefined when it can. */
  outOfService(): Promise<string | undefined>;
  /** Why an engine should be passed over for now, judged by its recent runs. */
  illHealth(engine: EngineId): Promise<string | undefined>;
}

/** Writes down what became of a run. Never rejects: an entry that cannot be written is told of in the log. */
export function noteInJournal(entry: Entry, { journal, log }: Pick<DelegationDeps, 'journal' | 'log'>): Promise<void> {
  return journal.append(entry).catch((error: unknown) => log.error(`journal: ${String(error)}`));
}
