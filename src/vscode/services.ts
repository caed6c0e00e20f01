import type { Logger } from '../base/logger.ts';
import type { Carried, RevertPlan } from '../delegation/revert.ts';
import type { Delegation } from '../delegation/task.ts';
import type { Engine } from '../engines/engine.ts';
import type { RunRecord } from '../journal/entry.ts';
import type { EngineId, Tier } from '../protocol/model.ts';
import type { ClientRoom } from './clients/clientRoom.ts';
import type { WorkspaceConsent } from './consent.ts';
import type { RunFilter } from './runs/runFilter.ts';
import type { TerminalRoom } from './terminals/terminalRoom.ts';
import type { Desk } from './waiting/desk.ts';

/** Reads one file of a kept state; paths as in `RunRecord.files`. Undefined when it was not kept, or did not exist. */
export type ReadKept = (path: string) => Promise<Uint8Array | undefined>;

/** The states of the workspace around a run, as far as they are kept. */
export interface RunStates {
  before: ReadKept;
  after?: ReadKept;
}

/** Takes back what runs changed; see `delegation/revert.ts`. */
export interface Reverts {
  plan(runId: string): Promise<RevertPlan | undefined>;
  planUndo(runId: string): Promise<RevertPlan | undefined>;
  carryOut(plan: RevertPlan): Promise<Carried>;
}

/** What the commands and views of a window work with. Everything that is loaded late is behind a promise. */
export interface Services {
  readonly log: Logger & { show(): void };
  readonly consent: WorkspaceConsent;
  delegation(): Promise<Delegation>;
  engines(): Promise<ReadonlyMap<EngineId, Engine>>;
  /** The delegation levels: level n is at index n - 1. */
  tiers(): Promise<readonly Tier[]>;
  /** Runs in this workspace's folders, whichever process ran them, newest first. */
  history(): Promise<readonly RunRecord[]>;
  /** The states around the run of a handle, or undefined when none was kept (the folder is under no git). */
  states(handle: string): Promise<RunStates | undefined>;
  reverts(): Promise<Reverts>;
  /** Opens the result of a run that has ended. */
  openResult(record: RunRecord, focus?: 'take' | 'leave'): Promise<void>;
  openRendered(record: RunRecord): Promise<void>;
  openTranscript(record: RunRecord): Promise<void>;
  /** The list of runs that the window shows. */
  readonly runs: { refresh(): void; filter: RunFilter };
  terminals(): Promise<TerminalRoom>;
  clients(): Promise<ClientRoom>;
  /** Shows the page of "Check Setup", which checks anew. */
  checkSetup(): Promise<void>;
  /** Everything that waits for the person. */
  desk(): Promise<Desk>;
}
