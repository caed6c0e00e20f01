import type { L10n } from '../l10n.ts';
import { type Finding, fine, inSettings, inTerminal, quoted, type Remedy } from './finding.ts';

/** A folder in which Cursor may keep its chats. `unreadable`: why it cannot be looked into. */
export interface ChatRoot {
  path: string;
  exists: boolean;
  unreadable: string | undefined;
  chats: number;
}

/** Where Cursor's chats are read. */
export function chatsFinding(roots: readonly ChatRoot[], l10n: L10n): Finding {
  const closed = roots.filter(({ unreadable }) => unreadable !== undefined);
  const there = roots.filter(({ exists }) => exists);
  const lines = there.map(({ path, chats, unreadable }) => unreadable ?? l10n.t('{0}: chats: {1}', path, chats));
  if (closed.length > 0) {
    return {
      state: 'missing',
      verdict: l10n.t('Cannot be read'),
      found: lines,
      advice: l10n.t('Sessions that keep their chats there are not seen. Give yourself the right to read the folder.'),
      remedies: inTerminal(`ls -ld ${closed.map(({ path }) => quoted(path)).join(' ')}`, l10n),
    };
  }
  if (there.some(({ chats }) => chats > 0)) return fine(l10n.t('Found'), ...lines);
  return {
    state: 'optional',
    verdict: l10n.t('No chats yet'),
    found: there.length > 0 ? lines : [l10n.t('Looked in: {0}', roots.map(({ path }) => path).join(', '))],
    advice: l10n.t('They appear with the first Cursor agent.'),
    remedies: [startAgent(l10n)],
  };
}

const startAgent = (l10n: L10n): Remedy => ({
  kind: 'command',
  id: 'sallyport.startCursorAgent',
  label: l10n.t('Start Cursor Agent'),
});

export interface McpFacts {
  /** This editor takes servers from extensions. */
  hostHasMcp: boolean;
  isTrusted: boolean;
  /** The server's program is in its place. */
  programExists: boolean;
  /** The person's or their organisation's setting keeps all servers away. */
  isSwitchedOff: boolean;
  /** How many of our tools the chat knows now; it learns of them when it starts the server. */
  tools: number;
  /** The command that registers the server with other clients, where there is one. */
  addCommand: string | undefined;
}

/** Whether chat can use the tools. */
export function mcpFinding(facts: McpFacts, l10n: L10n): Finding {
  const { hostHasMcp, isTrusted, programExists, isSwitchedOff, tools, addCommand } = facts;
  const add: Remedy[] =
    addCommand === undefined ? [] : [{ kind: 'command', id: addCommand, label: l10n.t('Add to Another Client…') }];
  if (!programExists) {
    return {
      state: 'missing',
      verdict: l10n.t('Its program is missing'),
      found: [],
      advice: l10n.t('The installation is damaged. Install the extension again.'),
      remedies: [{ kind: 'command', id: 'workbench.view.extensions', label: l10n.t('Show Extensions') }],
    };
  }
  if (!hostHasMcp) {
    return {
      state: 'warning',
      verdict: l10n.t('Not offered by itself'),
      found: [l10n.t('This editor takes no MCP servers from extensions; its chat has none of the tools.')],
      advice: add.length === 0 ? undefined : l10n.t('Register the server with the chat you use instead.'),
      remedies: add,
    };
  }
  if (isSwitchedOff) {
    return {
      state: 'missing',
      verdict: l10n.t('Switched off'),
      found: [l10n.t('The setting chat.mcp.access keeps all MCP servers from chat.')],
      advice: l10n.t('Change it, unless your organisation set it.'),
      remedies: [inSettings('chat.mcp.access', l10n, 'editor'), ...add],
    };
  }
  if (!isTrusted)
    return { state: 'unknown', verdict: l10n.t('Not offered in Restricted Mode'), found: [], remedies: [] };
  const known =
    tools > 0 ? l10n.t('Tools that chat knows: {0}', tools) : l10n.t('Chat starts the server when it first needs it.');
  const list: Remedy = { kind: 'command', id: 'workbench.mcp.listServer', label: l10n.t('List Servers') };
  return { ...fine(l10n.t('Offered to chat'), known), remedies: [list, ...add] };
}

export interface JournalFacts {
  folder: string;
  /** Why nothing can be written there. */
  unwritable: string | undefined;
  freeBytes: number | undefined;
  runs: number;
}

/** A run's output, snapshots and the journal need some room. */
const enoughBytes = 200 * 1024 * 1024;

/** Where runs are recorded. */
export function journalFinding({ folder, unwritable, freeBytes, runs }: JournalFacts, l10n: L10n): Finding {
  const found = [folder, l10n.t('Runs recorded: {0}', runs)];
  if (unwritable !== undefined) {
    return {
      state: 'missing',
      verdict: l10n.t('Cannot be written'),
      found: [...found, unwritable],
      advice: l10n.t(
        'Runs go on, but their history and results are lost. See who may write there and whether the disk is full.',
      ),
      remedies: inTerminal(`ls -ld ${quoted(folder)} && df -h ${quoted(folder)}`, l10n),
    };
  }
  if (freeBytes !== undefined && freeBytes < enoughBytes) {
    return {
      state: 'warning',
      verdict: l10n.t('Little room left'),
      found: [...found, l10n.t('Free: {0} MB', Math.floor(freeBytes / 1024 / 1024))],
      advice: l10n.t('Make room on that disk, or results may be lost.'),
      remedies: inTerminal(`df -h ${quoted(folder)}`, l10n),
    };
  }
  return fine(l10n.t('Works'), ...found);
}
