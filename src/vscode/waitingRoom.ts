import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import { DisposableStore } from '../base/disposable.ts';
import { lazy } from '../base/lazy.ts';
import type { Logger } from '../base/logger.ts';
import { createCursorApprovals } from '../approvals/cursorApprovals.ts';
import { createChatWatcher } from '../cursor/session/watcher.ts';
import { cursorRoots } from '../cursor/store/storePaths.ts';
import { cursor } from '../engines/cursor.ts';
import { openAnswerLog } from '../journal/answerLog.ts';
import { createLocator } from '../keys/locate.ts';
import { createTerminalLocks } from '../keys/lock.ts';
import { capture } from '../process/capture.ts';
import { createOpenFiles } from '../process/openFiles.ts';
import { createProcessStates } from '../process/processStates.ts';
import { type AnswerLog, createBroker } from '../requests/broker.ts';
import { Sessions } from './agents/sessions.ts';
import { type Desk, openDesk } from './waiting/desk.ts';
import { Snooze } from './waiting/snooze.ts';
import type { WindowRoom } from './windowRoom.ts';

export interface WaitingRoomDeps {
  log: Logger;
  room: WindowRoom;
  /** Shows the number where the view cannot. */
  showBadge: (badge: vscode.ViewBadge | undefined) => void;
  /** A live session of Cursor was seen. */
  onSessionSeen: () => void;
}

/** Everything behind the Waiting view. */
export interface WaitingRoom {
  readonly desk: Desk;
  /** Begins to watch, which Restricted Mode forbids. */
  sessions(): Promise<Sessions>;
  /** Ends the watching. Resolves when the history is written. */
  close(): Promise<void>;
}

/** Opens it. Sessions are watched from the desk's `start` on. */
export function openWaitingRoom({ log, room, showBadge, onSessionSeen }: WaitingRoomDeps): WaitingRoom {
  const watching = lazy(() => Promise.resolve(watchSessions(log, room, onSessionSeen)));
  const sessionOf = async (requestId: string) => (await watching()).approvals.sessionOf(requestId);
  const desk = openDesk({
    log,
    clock: systemClock,
    broker: async () => (await watching()).broker,
    showTerminal: async (requestId) => room.terminals.show((await sessionOf(requestId))?.place),
    reopen: async (requestId) => {
      const session = await sessionOf(requestId);
      if (session) await room.terminals.agents.reopen(session);
    },
    hasAgent: async () => (await room.roster.where(cursor)).ok || (await watching.started)?.hasSessions() === true,
    snooze: new Snooze({ folder: room.state.snooze, clock: systemClock, log }),
    wantsNotifications: () => room.config.cursor.notify,
    notifiedFolder: room.state.notified,
    showBadge,
  });
  return {
    desk,
    sessions: async () => (await watching()).sessions,
    async close() {
      desk.dispose();
      await (await watching.started)?.close();
    },
  };
}

function watchSessions(log: Logger, room: WindowRoom, onSessionSeen: () => void) {
  const owned = new DisposableStore();
  const states = createProcessStates();
  const answers = openAnswerLog({ folder: room.state.answers, clock: systemClock, onError: (why) => log.error(why) });
  const watcher = owned.add(
    createChatWatcher({
      roots: cursorRoots({ env: process.env, home: homedir() }),
      clock: systemClock,
      openFiles: createOpenFiles(),
      processes: states,
      log,
    }),
  );
  owned.add(watcher.onDidChange(() => watcher.chats().length > 0 && onSessionSeen()));
  const locator = createLocator({
    owned: room.terminals.agents.owned,
    findTmux: () => room.findTmux(),
    capture,
    states,
    env: process.env,
    uid: process.getuid?.(),
  });
  const approvals = owned.add(
    createCursorApprovals({
      watcher,
      locator,
      locks: createTerminalLocks({ folder: room.state.locks, states, clock: systemClock }),
      clock: systemClock,
      settleMs: () => room.config.cursor.settleMs,
      log,
    }),
  );
  owned.add(approvals.onDidMeetProblem((problem) => log.warn(problem)));
  const shownWithoutSecrets = (what: string) =>
    room.redact(what).catch((error: unknown) => {
      log.warn(`the history of answers leaves out a text: ${String(error)}`);
      return '';
    });
  const answerLog: AnswerLog = {
    ...answers,
    append: async (record) => answers.append({ ...record, what: await shownWithoutSecrets(record.what) }),
  };
  const broker = owned.add(createBroker({ sources: [approvals], clock: systemClock, answerLog }));
  const sessions = owned.add(new Sessions({ watcher, broker, locator, clock: systemClock }));
  return {
    approvals,
    broker,
    hasSessions: () => watcher.chats().length > 0,
    sessions,
    async close() {
      owned.dispose();
      await answers.dispose();
    },
  };
}
