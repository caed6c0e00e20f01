import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { Place } from '../keys/target.ts';
import type { RequestSource } from '../requests/source.ts';

/** The session behind a request, for bringing it before the person or opening it again. */
export interface AskingSession {
  /** The chat that `--resume` opens: the parent's, for a sub-agent. */
  chatId: string;
  cwd: string | undefined;
  /** Where it runs, if that was found. */
  place: Place | undefined;
  /** Its processes; empty when it has ended or was not found. */
  pids: readonly number[];
}

/** The requests of Cursor's sessions. */
export interface CursorApprovals extends RequestSource, Disposable {
  /** Undefined for an id that is not pending. */
  sessionOf(requestId: string): AskingSession | undefined;
  /** What cannot be seen or understood and why, for people: each fires once. */
  readonly onDidMeetProblem: Event<string>;
}
