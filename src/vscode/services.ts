import type { Logger } from '../base/logger.ts';
import type { Delegation } from '../delegation/task.ts';
import type { Engine } from '../engines/engine.ts';
import type { RunRecord } from '../journal/entry.ts';
import type { EngineId, Tier } from '../protocol/model.ts';
import type { ClientRoom } from './clients/clientRoom.ts';
import type { WorkspaceConsent } from './consent.ts';
import type { TerminalRoom } from './terminals/terminalRoom.ts';
import type { Desk } from './waiting/desk.ts';

/** Reads one file as it was before a run; paths as in `RunRecord.files`. Undefined when no earlier state of it was kept, or it did not exist. */
export type ReadBefore = (path: string) => Promise<Uint8Array | undefined>;

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
  /** The state before the run of a handle, or undefined when none was kept (the folder is under no git). */
  before(handle: string): Promise<ReadBefore | undefined>;
  /** Opens the result of a run that has ended. */
  openResult(record: RunRecord, focus?: 'take' | 'leave'): Promise<void>;
  refreshRuns(): void;
  terminals(): Promise<TerminalRoom>;
  clients(): Promise<ClientRoom>;
  /** Shows the page of "Check Setup", which checks anew. */
  checkSetup(): Promise<void>;
  /** Everything that waits for the person. */
  desk(): Promise<Desk>;
}
