import { basename } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { oneLine } from '../../base/displayText.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { resumeArguments } from '../../cursor/session/newChat.ts';
import type { OwnedTerminal } from '../../keys/owned.ts';
import { PtyUnavailable, type TerminalSize } from '../../keys/pty.ts';
import type { PtyTerminal } from '../../keys/ptyTerminal.ts';
import { createOpenFiles } from '../../process/openFiles.ts';
import { createProcessStates } from '../../process/processStates.ts';
import { createProcessTable } from '../../process/processTable.ts';
import { AgentPseudoterminal } from './agentPseudoterminal.ts';
import type { ChatToOpen, OpenChat, OpenChats } from './openChats.ts';
import { openOrdinaryTerminal, sayWhyOrdinary } from './ordinaryTerminal.ts';

interface Entry {
  chat: OpenChat;
  title: string;
  shown: vscode.Terminal;
  /** Of the program in it. */
  state: 'starting' | 'running' | 'ended';
  /** While it runs. */
  terminal: PtyTerminal | undefined;
}

/** The terminals that Sallyport opened in this window, each with a Cursor agent in it. */
export class CursorTerminals implements vscode.Disposable {
  readonly #openChats: OpenChats;
  readonly #log: Logger;
  readonly #entries = new Set<Entry>();
  readonly #hungUp = new WeakSet<PtyTerminal>();
  readonly #endings = new Set<Promise<void>>();
  readonly #change = new Emitter<undefined>();
  readonly #subscription: vscode.Disposable;
  #hasSaidWhyOrdinary = false;

  /** A terminal's program has started or ended. */
  readonly onDidChange: Event<undefined> = this.#change.event;

  constructor({ openChats, log }: { openChats: OpenChats; log: Logger }) {
    this.#openChats = openChats;
    this.#log = log;
    this.#subscription = vscode.window.onDidCloseTerminal((closed) => this.#forget(closed));
  }

  /** Those whose program runs. */
  list(): readonly OwnedTerminal[] {
    return [...this.#entries].flatMap(({ terminal }) => terminal ?? []);
  }

  /** The folder that the agent of a terminal works in. */
  folderOf(id: string): string | undefined {
    return this.#find(id)?.chat.folder;
  }

  /** Opens a chat in a new terminal, or shows the terminal it is open in already. */
  open(chat: ChatToOpen): vscode.Terminal {
    const same = [...this.#entries].find((entry) => entry.chat.chatId === chat.chatId);
    // Only its last words are left in it.
    if (same?.state === 'ended') same.shown.dispose();
    const shown = same && same.state !== 'ended' ? same.shown : this.#create(chat);
    shown.show();
    return shown;
  }

  /** Brings a terminal before the person. False when it is not there any more. */
  show(id: string): boolean {
    const entry = this.#find(id);
    entry?.shown.show();
    return entry !== undefined;
  }

  /** Ends all agents and what they started. Resolves when nothing is left; their chats are offered again after a reload. */
  async close(): Promise<void> {
    for (const { terminal } of this.#entries) if (terminal) this.#hangUp(terminal);
    await Promise.all(this.#endings);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#change.dispose();
  }

  #find(id: string): Entry | undefined {
    return [...this.#entries].find(({ terminal }) => terminal?.id === id);
  }

  #create(chat: ChatToOpen): vscode.Terminal {
    const title = this.#freeTitle(chat.folder);
    const pty = new AgentPseudoterminal({
      start: (size) => this.#start(entry, chat, size),
      hangUp: (terminal) => this.#hangUp(terminal),
    });
    const iconPath = new vscode.ThemeIcon('hubot');
    const shown = vscode.window.createTerminal({ name: title, pty, iconPath, isTransient: true });
    const { chatId, folder } = chat;
    const entry: Entry = { chat: { chatId, folder }, title, shown, state: 'starting', terminal: undefined };
    this.#entries.add(entry);
    return shown;
  }

  /** As cards name it, so that a person finds the one that is meant. */
  #freeTitle(folder: string): string {
    const taken = new Set([...this.#entries].map(({ title }) => title));
    const own = `Sallyport: ${oneLine(basename(folder), 40) || folder}`;
    for (let number = 1; ; number++) {
      const title = number === 1 ? own : `${own} ${number}`;
      if (!taken.has(title)) return title;
    }
  }

  async #start(entry: Entry, chat: ChatToOpen, size: TerminalSize): Promise<PtyTerminal> {
    const { binary, chatId, folder, env } = chat;
    try {
      const { openPtyTerminal } = await import('../../keys/ptyTerminal.ts');
      const terminal = await openPtyTerminal({
        program: { file: binary, args: resumeArguments(chatId), cwd: folder, env, size },
        title: entry.title,
        clock: systemClock,
        states: createProcessStates(),
      });
      terminal.onDidEnd(({ exitCode }) => this.#ended(entry, terminal, exitCode));
      entry.state = 'running';
      entry.terminal = terminal;
      this.#log.info(`${entry.title}: cursor-agent has started`);
      this.#log.debug(`${entry.title}: process ${terminal.pid}`);
      this.#change.fire(undefined);
      void this.#openChats.add(entry.chat);
      return terminal;
    } catch (error) {
      entry.state = 'ended';
      if (error instanceof PtyUnavailable) this.#openOrdinary(entry, chat, error);
      throw error;
    }
  }

  #openOrdinary(entry: Entry, chat: ChatToOpen, why: PtyUnavailable): void {
    this.#log.warn(`terminals of Sallyport's own cannot be had: ${why.message}`);
    entry.shown.dispose();
    openOrdinaryTerminal(chat);
    if (!this.#hasSaidWhyOrdinary) void sayWhyOrdinary(why);
    this.#hasSaidWhyOrdinary = true;
  }

  #ended(entry: Entry, terminal: PtyTerminal, exitCode: number): void {
    this.#log.info(`${entry.title}: cursor-agent ended with exit code ${exitCode}`);
    entry.state = 'ended';
    entry.terminal = undefined;
    // What went with its terminal is forgotten with it, unless the window took both.
    if (!this.#hungUp.has(terminal)) void this.#openChats.forget(entry.chat.chatId);
    this.#change.fire(undefined);
  }

  /** The chat of a terminal that went with its window stays in memory, to be offered again. */
  #forget(closed: vscode.Terminal): void {
    const entry = [...this.#entries].find(({ shown }) => shown === closed);
    if (!entry) return;
    this.#entries.delete(entry);
    const reason = closed.exitStatus?.reason;
    if (reason === vscode.TerminalExitReason.Shutdown || reason === vscode.TerminalExitReason.Unknown) return;
    void this.#openChats.forget(entry.chat.chatId);
  }

  #hangUp(terminal: PtyTerminal): void {
    if (this.#hungUp.has(terminal)) return;
    this.#hungUp.add(terminal);
    const sight = { openFiles: createOpenFiles(), table: createProcessTable() };
    const ending = terminal.hangUp(sight).finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }
}
