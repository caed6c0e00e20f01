import type { Logger } from '../../base/logger.ts';
import type { ClaudeHook } from '../../clients/claudeHook.ts';
import type { CliClient } from '../../clients/clientTable.ts';
import type { Launcher } from '../../clients/launcher.ts';
import type { Readiness } from '../../delegation/roster.ts';
import type { Capture } from '../../process/capture.ts';
import type { Found } from '../../process/findBinary.ts';
import type { ClientDocuments } from './clientDocuments.ts';

/** What the room needs of the window. */
export interface ClientRoomDeps {
  log: Logger & { show(): void };
  /** Absolute path of Sallyport's state folder. */
  stateRoot: string;
  /** Absolute path of the folder that this Sallyport was loaded from. */
  extension: string;
  /** A client's own program, or why it cannot be used and what to do. */
  program(id: CliClient['id']): Promise<Readiness>;
  findGit(): Promise<Found>;
  capture: Capture;
  /** What the person's own programs see; complete. Learning their PATH may start their shell. */
  environment(): Promise<NodeJS.ProcessEnv>;
  /** The same but for PATH, which starts nothing. */
  variables(): NodeJS.ProcessEnv;
}

/** What its commands work with. */
export interface ClientTools extends ClientRoomDeps {
  readonly launcher: Launcher;
  readonly documents: ClientDocuments;
  /** Made anew each time: which folder Claude Code uses is a setting. */
  hook(): ClaudeHook;
}
