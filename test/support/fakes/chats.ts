import { Emitter } from '../../../src/base/event.ts';
import type { SessionProcess } from '../../../src/cursor/session/liveness.ts';
import type { WatchedChat } from '../../../src/cursor/session/watchedChat.ts';
import type { ChatWatcher } from '../../../src/cursor/session/watcher.ts';
import type { ReadChat } from '../../../src/cursor/store/chatState.ts';
import type { PendingCall } from '../../../src/cursor/store/pending.ts';

/** Chats under a test's control. */
export class FakeChats implements ChatWatcher {
  limitation: string | undefined;
  /** The folders that were looked at, in order. */
  readonly looked: string[] = [];
  readonly #changes = new Emitter<void>();
  readonly #chats = new Map<string, WatchedChat>();
  readonly onDidChange = this.#changes.event;

  chats(): readonly WatchedChat[] {
    return [...this.#chats.values()];
  }

  lookAtSession(folder: string): Promise<void> {
    this.looked.push(folder);
    return Promise.resolve();
  }

  set(...chats: WatchedChat[]): void {
    for (const chat of chats) this.#chats.set(chat.folder, chat);
    this.#changes.fire();
  }

  /** Changes a chat, which becomes a new object. */
  change(id: string, change: Partial<WatchedChat>): void {
    this.set({ ...this.#named(id), ...change });
  }

  /** Lets the store of a chat say that these calls are pending. */
  pend(id: string, pending: readonly PendingCall[]): void {
    const chat = this.#named(id);
    this.set({ ...chat, state: { ...readChat(), ...chat.state, pending } });
  }

  remove(id: string): void {
    this.#chats.delete(this.#named(id).folder);
    this.#changes.fire();
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #named(id: string): WatchedChat {
    const chat = this.#chats.get(`/chats/${id}`);
    if (!chat) throw new Error(`There is no chat ${id}.`);
    return chat;
  }
}

/** A live chat in which nothing is pending. */
export function fakeChat(id: string, given: Partial<WatchedChat> = {}): WatchedChat {
  return {
    ...{ id, folder: `/chats/${id}`, bucket: 'b', root: '/root' },
    info: { cwd: '/work', title: `Title of ${id}` },
    state: readChat(),
    problem: undefined,
    session: { state: 'alive', processes: [fakeProcess()] },
    permissions: { allow: [], deny: [] },
    ...given,
  };
}

export function fakeProcess(pid = 100, given: Partial<SessionProcess> = {}): SessionProcess {
  return { pid, argv: ['cursor-agent'], tty: `/dev/pts/${String(pid)}`, children: [], ...given };
}

export function readChat(given: Partial<ReadChat> = {}): ReadChat {
  return {
    certainty: 'known',
    why: undefined,
    meta: { latestRootBlobId: undefined },
    runMode: { runEverything: false, saidBy: undefined, approvalMode: 'allowlist' },
    headId: undefined,
    writtenAtMs: undefined,
    messageCount: 0,
    turn: 'person',
    workspaces: [],
    surface: 'cli',
    pending: [],
    historyComplete: true,
    ...given,
  };
}

/** A pending call, by default of the shell, with `command` as its id as well. */
export function fakeCall(command: string, given: Partial<PendingCall> = {}): PendingCall {
  return {
    toolCallId: `call\n${command}`,
    toolName: 'Shell',
    args: { command },
    otherFields: {},
    cut: false,
    startedAtMs: undefined,
    batch: given.toolCallId ?? `call\n${command}`,
    ...given,
  };
}

/** Calls of one message. */
export function fakeBatch(...calls: PendingCall[]): PendingCall[] {
  return calls.map((call) => ({ ...call, batch: calls[0]?.toolCallId ?? '' }));
}

/** A call that asks questions. */
export function fakeForm(
  id: string,
  questions: readonly { prompt: string; options: string[]; allowMultiple: boolean }[],
): PendingCall {
  const asked = questions.map(({ prompt, options, allowMultiple }, index) => ({
    id: `q${String(index)}`,
    prompt,
    allowMultiple,
    options: options.map((label, at) => ({ id: `o${String(at)}`, label })),
  }));
  return fakeCall(id, { toolName: 'AskQuestion', args: { title: 'Before I go on', questions: asked } });
}
