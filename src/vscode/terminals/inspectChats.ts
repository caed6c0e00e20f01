import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { oneLine } from '../../base/displayText.ts';
import { inspectChat } from '../../cursor/inspect.ts';
import { sessionsOf } from '../../cursor/session/liveness.ts';
import { readChatInfo } from '../../cursor/store/chatInfo.ts';
import { type ChatFolder, cursorRoots, listChats, storeName, type Whereabouts } from '../../cursor/store/storePaths.ts';
import type { OpenFiles } from '../../process/openFiles.ts';
import type { ChatDocuments } from './chatDocuments.ts';

export interface InspectDeps {
  whereabouts: Whereabouts;
  openFiles: OpenFiles;
  documents: ChatDocuments;
  /** Takes secrets out of a text; rejects when it could not. */
  redact: (text: string) => Promise<string>;
}

interface Row extends vscode.QuickPickItem {
  chat: ChatFolder;
}

const icons = { alive: 'circle-filled', dead: 'circle-outline', unknown: 'question' } as const;

/** Lets the person pick a chat, and shows what Sallyport sees of it, for bug reports. Reads only. */
export async function inspectChats({ whereabouts, openFiles, documents, redact }: InspectDeps): Promise<void> {
  const chats = await listChats(cursorRoots(whereabouts));
  if (chats.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Cursor has kept no chats on this machine yet.'));
    return;
  }
  const options = { title: vscode.l10n.t('Inspect which chat?'), matchOnDescription: true, matchOnDetail: true };
  const picked = await vscode.window.showQuickPick(rowsOf(chats, openFiles), options);
  if (picked) await openInspection(picked.chat.folder, picked.label, { openFiles, documents, redact });
}

/** Shows what Sallyport sees of the chat in this folder, as a document of this name. Reads only. */
export async function openInspection(
  folder: string,
  name: string,
  { openFiles, documents, redact }: Omit<InspectDeps, 'whereabouts'>,
): Promise<void> {
  const title = vscode.l10n.t('Reading the chat…');
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async () => {
    const inspection = await inspectChat(folder, openFiles);
    await documents.open(name, await redact(JSON.stringify(inspection, undefined, 2)));
  });
}

async function rowsOf(chats: readonly ChatFolder[], openFiles: OpenFiles): Promise<Row[]> {
  const stores = chats.map(({ folder }) => join(folder, storeName));
  const [sessions, seen] = await Promise.all([sessionsOf(stores, openFiles), Promise.all(chats.map(describe))]);
  return seen
    .map(({ changedAtMs, ...row }, index) => {
      const state = sessions[index]?.state ?? 'unknown';
      const when = changedAtMs === undefined ? '' : new Date(changedAtMs).toLocaleString(vscode.env.language);
      const words = {
        alive: vscode.l10n.t('live'),
        dead: vscode.l10n.t('ended'),
        unknown: vscode.l10n.t('live or ended'),
      };
      return {
        ...row,
        changedAtMs,
        iconPath: new vscode.ThemeIcon(icons[state]),
        description: `${words[state]} · ${when}`,
      };
    })
    .sort((one, other) => (other.changedAtMs ?? 0) - (one.changedAtMs ?? 0));
}

async function describe(chat: ChatFolder) {
  const { folder } = chat;
  const [info, stats] = await Promise.all([
    readChatInfo(folder),
    // What a live session writes stays in the log beside its store.
    Promise.all([`${storeName}-wal`, storeName].map((name) => stat(join(folder, name)).catch(() => undefined))),
  ]);
  const written = stats.flatMap((each) => (each ? [each.mtimeMs] : []));
  return {
    chat,
    label: oneLine(info?.title ?? '', 80) || basename(folder),
    detail: oneLine(info?.cwd ?? '', 200),
    changedAtMs: written.length === 0 ? info?.updatedAtMs : Math.max(...written),
  };
}
