import { join } from 'node:path';
import { PbfReader } from 'pbf';
import { parseChatMeta } from '../../src/cursor/store/chatMeta.ts';
import { loadSqlite } from '../../src/cursor/store/database.ts';
import { StoreImage } from '../../src/cursor/store/image.ts';
import type { PendingCall } from '../../src/cursor/store/pending.ts';
import { readChat } from '../../src/cursor/store/readChat.ts';
import { bucketsOf, cursorRoots, listChats, storeName } from '../../src/cursor/store/storePaths.ts';

/** One field of a protobuf message, without what it holds. */
export interface FieldLayout {
  field: number;
  wireType: number;
  /** In bytes, of a field of wire type 2. */
  length?: number;
}

/** What the store of the probe's session says. */
export interface StoreLook {
  certainty: string;
  why: string | undefined;
  pending: readonly PendingCall[];
  /** Of the root blob; empty when it could not be read. */
  layout: FieldLayout[];
}

const maxBytes = 8 * 1024 * 1024;

/** The stores of all chats whose working folder is `cwd`: the probe's own ones, which a sub-agent's may join. */
export async function lookAtChats(
  whereabouts: { env: NodeJS.ProcessEnv; home: string },
  cwd: string,
): Promise<StoreLook[]> {
  const buckets = await bucketsOf(cwd);
  const chats = await listChats(cursorRoots(whereabouts));
  return await Promise.all(chats.filter(({ bucket }) => buckets.includes(bucket)).map(({ folder }) => lookAt(folder)));
}

async function lookAt(folder: string): Promise<StoreLook> {
  const state = await readChat(folder);
  const pending = state.certainty === 'unknown' ? [] : state.pending;
  const layout = await rootLayout(join(folder, storeName)).catch(() => []);
  return { certainty: state.certainty, why: state.why, pending, layout };
}

async function rootLayout(store: string): Promise<FieldLayout[]> {
  const sqlite = await loadSqlite();
  const root = await new StoreImage(store).read((bytes) =>
    sqlite.query(bytes, (tables) => {
      const value = tables.metaValue('0', maxBytes);
      const id = value && parseChatMeta(value)?.meta.latestRootBlobId;
      return id === undefined ? 'missing' : tables.blob(id, maxBytes);
    }),
  );
  return typeof root === 'string' ? [] : layoutOf(root);
}

/** The fields of a protobuf message, in order; up to where it makes no sense. */
function layoutOf(message: Uint8Array): FieldLayout[] {
  const reader = new PbfReader(message);
  const fields: FieldLayout[] = [];
  try {
    for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
      const { type } = reader;
      // Other values are skipped by the reader itself.
      fields.push({ field, wireType: type, ...(type === 2 && { length: reader.readBytes().length }) });
    }
  } catch {
    // What was understood until here is worth having.
  }
  return fields;
}
