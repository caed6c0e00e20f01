import { constants } from 'node:fs';
import { access, mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { chatsName, cursorRoots, listChats } from '../../cursor/store/storePaths.ts';
import type { L10n } from '../l10n.ts';
import type { Check } from './check.ts';
import type { DoctorDeps } from './doctorDeps.ts';
import {
  chatsFinding,
  type ChatRoot,
  journalFinding,
  type JournalFacts,
  mcpFinding,
  type McpFacts,
} from './ownFindings.ts';

const limitMs = 5_000;
/** Registers the server with clients that this editor does not know. */
const addToClient = 'sallyport.addToClient';

/** What Sallyport itself reads, writes and offers. */
export function ownChecks(deps: DoctorDeps, l10n: L10n): Check[] {
  const check = (id: string, title: string, look: Check['look']): Check => ({
    id,
    title,
    group: 'sallyport',
    startsPrograms: false,
    limitMs,
    look,
  });
  return [
    check('mcp', l10n.t('Tools for chat (MCP)'), async () => mcpFinding(await lookAtMcp(deps), l10n)),
    check('chats', l10n.t('Cursor’s chats'), async () => chatsFinding(await lookAtChats(), l10n)),
    check('journal', l10n.t('Journal of runs'), async () => journalFinding(await lookAtJournal(deps), l10n)),
  ];
}

async function lookAtMcp({ program, hostHasMcp }: DoctorDeps): Promise<McpFacts> {
  const commands = await vscode.commands.getCommands(true);
  return {
    hostHasMcp,
    isTrusted: vscode.workspace.isTrusted,
    programExists: await isThere(program),
    isSwitchedOff: vscode.workspace.getConfiguration('chat.mcp').get('access') === 'none',
    tools: hostHasMcp ? vscode.lm.tools.filter(({ name }) => name.startsWith('mcp_sallyport')).length : 0,
    addCommand: commands.includes(addToClient) ? addToClient : undefined,
  };
}

async function lookAtChats(): Promise<ChatRoot[]> {
  return Promise.all(
    cursorRoots({ env: process.env, home: homedir() }).map(async (path) => {
      const chats = join(path, chatsName);
      if (!(await isThere(chats))) return { path, exists: false, unreadable: undefined, chats: 0 };
      const unreadable = await access(chats, constants.R_OK | constants.X_OK).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      return { path, exists: true, unreadable, chats: (await listChats([path])).length };
    }),
  );
}

async function lookAtJournal({ room }: DoctorDeps): Promise<JournalFacts> {
  const folder = room.state.root;
  return {
    folder,
    unwritable: await whyUnwritable(room.state.journal),
    freeBytes: await statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => undefined,
    ),
    runs: (await room.journal.read()).length,
  };
}

/** Asks by writing: rights do not tell of full and of read-only disks. */
async function whyUnwritable(folder: string): Promise<string | undefined> {
  try {
    const trial = await mkdtemp(join(folder, 'trial-'));
    try {
      await writeFile(join(trial, 'trial'), 'trial');
    } finally {
      await rm(trial, { recursive: true, force: true });
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
