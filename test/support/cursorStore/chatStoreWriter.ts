import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { decodeRoot, encodeRoot, type Root } from './rootBlob.ts';

export interface ChatStoreOptions {
  /** Cursor's configuration folder. */
  root: string;
  cwd: string;
  id?: string;
  title?: string;
  isSubagent?: boolean;
}

/** How the value of the chat's description is stored; the last two were reported by single readers. */
export type MetaForm = 'hex' | 'plain' | 'blob';

/**
 * Writes a chat, or goes on with one that is there, as cursor-agent does: content-addressed blobs, each write its own transaction, a new root blob for every
 * state, and the description that names it last. It checkpoints by itself at SQLite's 1,000 pages.
 */
export class ChatStoreWriter {
  readonly folder: string;
  readonly file: string;
  readonly id: string;
  readonly database: DatabaseSync;
  metaForm: MetaForm = 'hex';
  /** The state that the next `commitHead` writes. */
  readonly root: { -readonly [Key in keyof Root]: Root[Key] };
  readonly meta: Record<string, unknown>;

  constructor({ root, cwd, id = randomUUID(), title = 'New Agent', isSubagent }: ChatStoreOptions) {
    this.id = id;
    this.folder = join(root, 'chats', createHash('md5').update(cwd).digest('hex'), id);
    this.file = join(this.folder, 'store.db');
    const isNew = !existsSync(this.file);
    mkdirSync(this.folder, { recursive: true });
    if (isNew) {
      const info = { schemaVersion: 1, createdAtMs: 1790000000000, hasConversation: true, cwd, title };
      this.writeInfo(isSubagent ? { ...info, isSubagent } : info);
      writeFileSync(join(this.folder, 'prompt_history.json'), '[]');
    }
    this.database = new DatabaseSync(this.file);
    this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA user_version = 1');
    this.database.exec('CREATE TABLE IF NOT EXISTS blobs (id TEXT PRIMARY KEY, data BLOB)');
    this.database.exec('CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT)');
    this.root = { messageIds: [], pending: [], turnIds: [], workspaces: [`file://${cwd}`], timestampMs: 1790000000000 };
    this.meta = {
      agentId: id,
      latestRootBlobId: '',
      name: title,
      mode: 'default',
      createdAt: 1790000000000,
      isRunEverything: false,
    };
    if (!isNew) this.#goOn();
  }

  /** Changes fields of `meta.json`. */
  writeInfo(change: Record<string, unknown>): void {
    const file = join(this.folder, 'meta.json');
    const before: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    writeFileSync(file, JSON.stringify(Object.assign({}, before, change)));
  }

  /** Returns the blob's id. */
  putBlob(data: Uint8Array): string {
    const id = createHash('sha256').update(data).digest('hex');
    this.database.prepare('INSERT OR REPLACE INTO blobs VALUES (?, ?)').run(id, data);
    return id;
  }

  /** Stores a message and adds it to the conversation that `commitHead` writes. */
  addMessage(message: object): string {
    const id = this.putBlob(Buffer.from(JSON.stringify(message)));
    this.root.messageIds = [...this.root.messageIds, id];
    return id;
  }

  /** Changes the description and writes it. */
  writeMeta(change: Record<string, unknown> = {}): void {
    Object.assign(this.meta, change);
    const json = Buffer.from(JSON.stringify(this.meta));
    const value = this.metaForm === 'hex' ? json.toString('hex') : this.metaForm === 'plain' ? json.toString() : json;
    this.database.prepare("INSERT OR REPLACE INTO meta VALUES ('0', ?)").run(value);
  }

  /** Writes the state, with these messages under way, and makes it the newest. Returns the root's id. */
  commitHead(pending: readonly (object | string | Uint8Array)[] = []): string {
    this.root.pending = pending.map((entry) =>
      typeof entry === 'string' || entry instanceof Uint8Array ? entry : JSON.stringify(entry),
    );
    this.root.timestampMs++;
    const id = this.putBlob(encodeRoot(this.root));
    this.writeMeta({ latestRootBlobId: id });
    return id;
  }

  checkpoint(how: 'PASSIVE' | 'FULL' | 'RESTART' | 'TRUNCATE'): void {
    this.database.exec(`PRAGMA wal_checkpoint(${how})`);
  }

  /** Takes the state over that the store is in, but for what was under way. */
  #goOn(): void {
    const value = this.database.prepare("SELECT value FROM meta WHERE key = '0'").get()?.value;
    if (typeof value !== 'string') return;
    const json = value.startsWith('{') ? value : Buffer.from(value, 'hex').toString();
    Object.assign(this.meta, JSON.parse(json));
    const id = String(this.meta.latestRootBlobId);
    const head = this.database.prepare('SELECT data FROM blobs WHERE id = ?').get(id)?.data;
    if (head instanceof Uint8Array) Object.assign(this.root, decodeRoot(head));
  }

  /** Ends as a clean exit does: the log is moved into the main file and removed. */
  close(): void {
    if (this.database.isOpen) this.database.close();
  }
}
