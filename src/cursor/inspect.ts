import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { OpenFiles } from '../process/openFiles.ts';
import { isCovered } from './session/allowRules.ts';
import { type Liveness, sessionsOf } from './session/liveness.ts';
import { type Permissions, readPermissions } from './session/permissions.ts';
import { runsEverything } from './session/runMode.ts';
import { type ChatInfo, readChatInfo } from './store/chatInfo.ts';
import type { ChatState } from './store/chatState.ts';
import { readStore } from './store/readChat.ts';
import { isAcpSession, storeName } from './store/storePaths.ts';

/** What Sallyport sees of one chat, to be printed as JSON for a bug report. */
export type Inspection = ReturnType<typeof describe>;

const notSeen: Liveness = { state: 'unknown', why: 'Nobody was asked.' };

/**
 * Looks at a chat as the window would. `path` is a store or the folder of a chat. The result holds what the calls say as it
 * is, so redact it before it is passed on; keys, sign-in data and process arguments are not in it. Throws when there is
 * no chat at this path; the message says what to give instead.
 */
export async function inspectChat(path: string, openFiles: OpenFiles): Promise<Inspection> {
  const store = await findStore(path);
  const folder = dirname(store);
  // <root>/chats/<bucket>/<chat>
  const root = dirname(dirname(dirname(folder)));
  const [state, info, [session = notSeen]] = await Promise.all([
    readStore(store),
    readChatInfo(folder),
    sessionsOf([store], openFiles),
  ]);
  const permissions = await readPermissions(root, info?.cwd);
  return describe({ store, state, info, session, permissions });
}

async function findStore(path: string): Promise<string> {
  const absolute = resolve(path);
  const stats = await stat(absolute).catch(() => undefined);
  if (!stats) throw new Error(`There is nothing at ${absolute}. Give the folder of a chat, or its ${storeName}.`);
  if (!stats.isDirectory()) return absolute;
  const store = join(absolute, storeName);
  if (await stat(store).catch(() => undefined)) return store;
  throw new Error(
    `${absolute} holds no ${storeName}. A chat's folder lies in chats/<32 letters and digits>/ of Cursor's configuration folder, mostly ~/.cursor.`,
  );
}

interface Seen {
  store: string;
  state: ChatState;
  info: ChatInfo | undefined;
  session: Liveness;
  permissions: Permissions;
}

function describe({ store, state, info, session, permissions }: Seen) {
  const folder = dirname(store);
  const chat = { store, id: basename(folder), isAcpSession: isAcpSession(folder), ...info };
  const owner =
    session.state === 'alive'
      ? {
          state: session.state,
          processes: session.processes.map(({ argv, ...rest }) => ({ ...rest, runsEverything: runsEverything(argv) })),
        }
      : session;
  if (state.certainty === 'unknown') return { chat, owner, ...state };
  const { pending, ...rest } = state;
  const calls = pending.map((call) => ({ ...call, coveredByRules: isCovered(call, permissions, info?.cwd ?? '/') }));
  return { chat, owner, ...rest, pending: calls };
}
