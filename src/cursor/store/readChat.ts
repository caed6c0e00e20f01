import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { runModeOf } from '../session/runMode.ts';
import { type ParsedChatMeta, parseChatMeta } from './chatMeta.ts';
import type { ChatState, ReadChat } from './chatState.ts';
import { loadSqlite, type Sqlite, type StoreTables } from './database.ts';
import { decodeHead, type Head } from './head.ts';
import { MessageHistory } from './history.ts';
import { StoreImage } from './image.ts';
import { decodeMessage, type Message } from './message.ts';
import { pendingCalls } from './pending.ts';
import { scanForPending } from './scan.ts';
import { storeName } from './storePaths.ts';
import { StoreUnreadable, unreadableBy } from './storeUnreadable.ts';

const maxMetaBytes = 256 * 1024;
/** A conversation of 100,000 messages has a root blob of 7 MB. */
const maxHeadBytes = 8 * 1024 * 1024;
/** A longer message is left out of the history; the longest seen has 2.2 MB. */
const maxMessageBytes = 4 * 1024 * 1024;
/** What is read of the history in one go, without giving others a turn. */
const chunk = { messages: 200, bytes: 512 * 1024 };
const defaultHistoryBytes = 4 * 1024 * 1024;
/** Where an unknown layout makes it necessary to look at other blobs than the head. */
const recent = { blobs: 16, bytes: 256 * 1024 };

/** Reads one chat again and again. */
export interface ChatReader {
  /** Its state now. Never rejects: what goes wrong is `unknown`. Calls are answered one after the other. */
  read(): Promise<ChatState>;
}

/**
 * Opens a chat for reading; `folder` is the chat's own. Keeps no file open and nothing to dispose of. Where calls are
 * pending, a read looks through older messages until `historyBytes` are reached, and the next read goes on from there.
 */
export function openChat(folder: string, options?: { historyBytes?: number }): ChatReader {
  return openStore(join(folder, storeName), options);
}

/** The state of the chat in this folder, its whole history looked through. Never rejects. */
export async function readChat(folder: string): Promise<ChatState> {
  return await readStore(join(folder, storeName));
}

/** As `readChat`, by the store's own path. */
export async function readStore(file: string): Promise<ChatState> {
  return await openStore(file, { historyBytes: Infinity }).read();
}

function openStore(file: string, { historyBytes = defaultHistoryBytes } = {}): ChatReader {
  const reader = new StoreReader(file, historyBytes);
  let last: Promise<unknown> = Promise.resolve();
  return {
    read() {
      const next = last.then(() => reader.read());
      last = next;
      return next;
    },
  };
}

/** A head as it was understood. Good for as long as the chat names this id. */
interface KnownHead {
  id: string;
  /** Undefined when the blob is no message of the known kind. */
  head: Head | undefined;
  /** Messages that may hold pending calls. */
  candidates: Message[];
  turn: ReadChat['turn'];
}

class StoreReader {
  readonly #image: StoreImage;
  readonly #historyBytes: number;
  readonly #history = new MessageHistory();
  #known: KnownHead | undefined;

  constructor(file: string, historyBytes: number) {
    this.#image = new StoreImage(file);
    this.#historyBytes = historyBytes;
  }

  async read(): Promise<ChatState> {
    try {
      const sqlite = await loadSqlite();
      const { meta, known } = await this.#ask(sqlite, (tables) => lookAtHead(tables, this.#known));
      this.#known = known;
      const historyComplete = !known?.candidates.length || (await this.#readHistory(sqlite, known.head));
      return this.#stateOf(meta, known, historyComplete);
    } catch (error) {
      const { reason, message } = unreadableBy(error);
      return { certainty: 'unknown', why: message, reason };
    }
  }

  #ask<T>(sqlite: Sqlite, ask: (tables: StoreTables) => T): Promise<T> {
    return this.#image.read((bytes) => sqlite.query(bytes, ask));
  }

  #stateOf({ meta }: ParsedChatMeta, known: KnownHead | undefined, historyComplete: boolean): ChatState {
    const head = known?.head;
    const isKnown = !known || (head !== undefined && !head.unknownLayout);
    return {
      certainty: isKnown ? 'known' : 'unknownLayout',
      why: isKnown ? undefined : explainLayout(head),
      meta,
      runMode: runModeOf(meta),
      headId: known?.id,
      writtenAtMs: head?.writtenAtMs,
      messageCount: head?.messageIds.length ?? 0,
      turn: known ? known.turn : 'person',
      workspaces: head?.workspaces ?? [],
      surface: head?.surface,
      pending: known?.candidates.length ? pendingCalls(known.candidates, this.#history.of(head?.messageIds ?? [])) : [],
      historyComplete,
    };
  }

  /** Looks through messages not seen yet, newest first. Returns whether all were. */
  async #readHistory(sqlite: Sqlite, head: Head | undefined): Promise<boolean> {
    const ids = head?.messageIds ?? [];
    this.#history.retryMissing();
    for (let left = this.#historyBytes; ;) {
      const unread = this.#history.unread(ids, chunk.messages);
      if (unread.length === 0) return true;
      if (left <= 0) return false;
      const blobs = await this.#ask(sqlite, (tables) => readBlobs(tables, unread));
      for (const { id, blob } of blobs) {
        this.#history.add(id, blob);
        left -= blob.length;
      }
    }
  }
}

/** What the chat says of itself and its head; `before` saves reading a head that is still the same. */
function lookAtHead(tables: StoreTables, before?: KnownHead): { meta: ParsedChatMeta; known: KnownHead | undefined } {
  const value = tables.metaValue('0', maxMetaBytes);
  if (!value) throw new StoreUnreadable('noTables', 'The chat store does not describe its chat yet.');
  const meta = parseChatMeta(value);
  if (!meta) throw new StoreUnreadable('damaged', 'The chat store describes its chat in an unknown way.');
  const id = meta.meta.latestRootBlobId;
  if (id === undefined) return { meta, known: undefined };
  return { meta, known: before?.id === id ? before : readHead(tables, id, meta) };
}

function readHead(tables: StoreTables, id: string, { encrypted }: ParsedChatMeta): KnownHead {
  const bytes = tables.blob(id, maxHeadBytes);
  if (bytes === 'missing') {
    throw new StoreUnreadable('busy', 'The newest state of the chat is announced, but not in the store yet.');
  }
  if (bytes === 'tooLarge')
    throw new StoreUnreadable('tooLarge', 'The newest state of the chat is far too large to read.');
  if (createHash('sha256').update(bytes).digest('hex') !== id) {
    const cause = encrypted
      ? 'It is encrypted, or the store is damaged.'
      : 'The store is damaged, or was being written.';
    throw new StoreUnreadable('damaged', `The newest state of the chat is not what its id stands for. ${cause}`);
  }
  const head = decodeHead(bytes);
  if (!head && encrypted) throw new StoreUnreadable('damaged', 'The chat store is encrypted.');
  const turn = turnOf(tables, head);
  if (head && !head.unknownLayout) return { id, head, candidates: head.pendingMessages, turn };
  return { id, head, candidates: searchForPending(tables, bytes, head), turn };
}

/** By the newest message that is committed. One that is larger than usual is left alone. */
function turnOf(tables: StoreTables, head: Head | undefined): ReadChat['turn'] {
  const newest = head?.messageIds.at(-1);
  if (!newest) return head ? 'person' : undefined;
  const blob = tables.blob(Buffer.from(newest).toString('hex'), recent.bytes);
  const message = typeof blob === 'string' ? undefined : decodeMessage(blob);
  if (message?.role === 'user' || message?.role === 'tool') return 'agent';
  if (message?.role !== 'assistant') return undefined;
  return message.calls.length > 0 ? 'agent' : 'person';
}

/** Where the layout is not known: what a search of the head finds, and only when it finds nothing, of other blobs. */
function searchForPending(tables: StoreTables, bytes: Uint8Array, head: Head | undefined): Message[] {
  const inHead = [...(head?.pendingMessages ?? []), ...scanForPending(bytes)];
  if (inHead.length > 0 || head?.unreadableEntries.length === 0) return inHead;
  const named = (head?.unreadableEntries ?? [])
    .filter((entry) => entry.length === 32)
    .map((entry) => tables.blob(Buffer.from(entry).toString('hex'), recent.bytes))
    .filter((blob) => typeof blob !== 'string');
  const inNamed = named.flatMap(scanForPending);
  if (inNamed.length > 0) return inNamed;
  // The heads of former states are still there, and what was pending in them is over.
  const isFormerHead = (blob: Uint8Array): boolean => (decodeHead(blob)?.messageIds.length ?? 0) > 0;
  return tables
    .recentBlobs(recent.blobs, recent.bytes)
    .filter((blob) => !isFormerHead(blob))
    .flatMap(scanForPending);
}

interface FoundBlob {
  id: string;
  blob: Uint8Array | 'missing' | 'tooLarge';
}

/** As many of these as make one chunk. */
function readBlobs(tables: StoreTables, ids: readonly string[]): FoundBlob[] {
  const blobs: FoundBlob[] = [];
  let bytes = 0;
  for (const id of ids) {
    const blob = tables.blob(id, maxMessageBytes);
    blobs.push({ id, blob });
    bytes += blob.length;
    if (bytes >= chunk.bytes) break;
  }
  return blobs;
}

function explainLayout(head: Head | undefined): string {
  const what = head ? 'Something about pending calls lies where it is not known to lie' : 'It could not be decoded';
  return `The newest state of the chat has an unknown layout. ${what}, so it was searched; the result may be incomplete.`;
}
