import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { AskingSession } from '../../approvals/cursorApprovals.ts';
import type { Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { createChat } from '../../cursor/session/newChat.ts';
import type { Readiness } from '../../delegation/roster.ts';
import type { OwnedTerminals } from '../../keys/owned.ts';
import { capture } from '../../process/capture.ts';
import { createProcessStates } from '../../process/processStates.ts';
import { openTerminalWith } from '../commands/terminal.ts';
import { commandIn } from '../hintCommand.ts';
import { messageText } from '../messageText.ts';
import { openSettings } from '../openSettings.ts';
import { requireTrust } from '../trust.ts';
import { CursorTerminals } from './cursorTerminals.ts';
import { type OpenChat, OpenChats } from './openChats.ts';
import { sessionEnd } from './sessionEnd.ts';
import { said } from '../l10n.ts';

export interface AgentTerminalsDeps {
  log: Logger;
  /** The workspace's. */
  state: vscode.Memento;
  /** cursor-agent, or why it cannot be used and what to do. */
  program: () => Promise<Readiness>;
  /** What a program of the person's own sees in a terminal (see `terminalEnvironment`). */
  environment: () => Promise<NodeJS.ProcessEnv>;
}

/** Cursor agents in terminals of Sallyport. Nothing starts but by a command of the person, and nothing in Restricted Mode. */
export interface AgentTerminals {
  readonly owned: OwnedTerminals;
  /** `owned` is different. */
  readonly onDidChange: Event<undefined>;
  /** The folder that the agent of a terminal works in. */
  folderOf(id: string): string | undefined;
  /** Starts an agent with a new chat in a folder (absolute). Says what went wrong. */
  start(folder: string): Promise<void>;
  /** Opens a session's chat in a terminal of ours, once its process has ended. Waits for that, with a way out. */
  reopen(session: AskingSession): Promise<void>;
  /** Says which agents ended with the window before this one, and offers to go on with them. */
  offerResume(): Promise<void>;
  /** False when there is no such terminal any more. */
  show(id: string): boolean;
  /** Ends all agents. Resolves when nothing is left. */
  close(): Promise<void>;
}

export function createAgentTerminals({ log, state, program, environment }: AgentTerminalsDeps): AgentTerminals {
  const openChats = new OpenChats(state);
  const terminals = new CursorTerminals({ openChats, log });
  const reopening = new Set<string>();

  /** Undefined after saying why not. */
  async function ready(): Promise<{ binary: string; env: NodeJS.ProcessEnv } | undefined> {
    if (!requireTrust()) return undefined;
    const [readiness, env] = await Promise.all([program(), environment()]);
    if (readiness.ok) return { binary: readiness.installed.binary, env };
    void explain(readiness.message);
    return undefined;
  }

  async function open(chat: OpenChat): Promise<void> {
    const found = await ready();
    if (found) terminals.open({ ...chat, ...found });
  }

  return {
    owned: () => terminals.list(),
    onDidChange: terminals.onDidChange,
    folderOf: (id) => terminals.folderOf(id),
    show: (id) => terminals.show(id),
    async start(folder) {
      const title = vscode.l10n.t('Starting the Cursor agent…');
      await withProgress(title, async (signal) => {
        const found = await ready();
        if (!found) return;
        const made = await createChat({ ...found, cwd: folder, signal }, capture);
        if (signal.aborted) return;
        if (made.ok) terminals.open({ chatId: made.chatId, folder, ...found });
        else void explain(made.why);
      });
    },
    async reopen({ chatId, cwd, pids }) {
      if (!requireTrust() || reopening.has(chatId)) return;
      if (cwd === undefined) {
        const message = vscode.l10n.t(
          'It is not known in which folder this session works. Open it there with: {0}',
          `cursor-agent --resume ${chatId}`,
        );
        void vscode.window.showWarningMessage(messageText(message));
        return;
      }
      reopening.add(chatId);
      try {
        if (await whenSessionEnded(pids)) await open({ chatId, folder: cwd });
      } finally {
        reopening.delete(chatId);
      }
    },
    async offerResume() {
      if (!vscode.workspace.isTrusted) return;
      const ended = openChats.list();
      for (const { chatId } of ended) await openChats.forget(chatId);
      await Promise.all(ended.map((chat) => offer(chat, () => open(chat))));
    },
    async close() {
      await terminals.close();
      terminals.dispose();
    },
  };
}

/** Resolves with false when the person gave up waiting. */
async function whenSessionEnded(pids: readonly number[]): Promise<boolean> {
  const title = vscode.l10n.t(
    'The session still runs in its terminal. Quit the agent there (press Ctrl+C twice), and it opens again in Sallyport.',
  );
  const states = createProcessStates();
  if (await sessionEnd(pids, states, AbortSignal.abort())) return true;
  return await withProgress(title, (signal) => sessionEnd(pids, states, signal));
}

async function offer({ folder }: OpenChat, resume: () => Promise<void>): Promise<void> {
  const label = vscode.l10n.t('Resume');
  const message = vscode.l10n.t('The Cursor agent in {0} ended with the window.', basename(folder));
  if ((await vscode.window.showInformationMessage(messageText(message), label)) === label) await resume();
}

/** Says what went wrong, with the button that helps against it. */
async function explain(why: string): Promise<void> {
  const terminal = vscode.l10n.t('Open Terminal');
  const settings = vscode.l10n.t('Open Settings');
  const command = commandIn(why);
  const actions = command === undefined ? [settings] : [terminal, settings];
  const chosen = await vscode.window.showErrorMessage(messageText(said(why, vscode.l10n)), ...actions);
  if (chosen === terminal && command !== undefined) await openTerminalWith(command);
  if (chosen === settings) await openSettings('cursor.path');
}

async function withProgress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return await vscode.window.withProgress(options, async (_progress, token) => {
    const cancelling = new AbortController();
    const subscription = token.onCancellationRequested(() => cancelling.abort());
    try {
      return await work(cancelling.signal);
    } finally {
      subscription.dispose();
    }
  });
}
