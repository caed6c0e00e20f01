import type { LauncherCommand } from './launcherScript.ts';

/** The name of the entry in every client. */
export const serverName = 'sallyport';

/** Where an entry is to hold: in all of a person's projects, or for the one folder alone. */
export type Scope = 'user' | 'local';

/** A client whose own program adds and removes servers. */
export interface CliClient {
  id: 'claude' | 'codex' | 'grok';
  title: string;
  /** What the person would type. */
  program: string;
  /** Best first; more than one are asked for. */
  scopes: readonly [Scope, ...Scope[]];
  add: (server: LauncherCommand, scope: Scope) => string[];
  /** From whichever scope it is in, as seen from the folder it is run in. */
  remove: readonly string[];
  /** Whether it refused because it has a server of that name. */
  hasOneAlready: (output: string) => boolean;
}

/**
 * Seen with Claude Code 2.1.332, Codex 0.171.0 and Grok 1.0.41; the last two replace an entry of the same name. Cursor's CLI
 * has no `mcp add` (cursor.com/docs/cli/mcp).
 */
export const cliClients: readonly CliClient[] = [
  {
    id: 'claude',
    title: 'Claude Code',
    program: 'claude',
    scopes: ['user', 'local'],
    add: ({ command, args }, scope) => ['mcp', 'add', '--scope', scope, serverName, '--', command, ...args],
    remove: ['mcp', 'remove', serverName],
    hasOneAlready: (output) => /already exists/i.test(output),
  },
  {
    id: 'codex',
    title: 'Codex',
    program: 'codex',
    scopes: ['user'],
    add: ({ command, args }) => ['mcp', 'add', serverName, '--', command, ...args],
    remove: ['mcp', 'remove', serverName],
    hasOneAlready: () => false,
  },
  {
    id: 'grok',
    title: 'Grok',
    program: 'grok',
    scopes: ['user'],
    add: ({ command, args }) => ['mcp', 'add', '--scope', 'user', serverName, '--', command, ...args],
    remove: ['mcp', 'remove', '--scope', 'user', serverName],
    hasOneAlready: () => false,
  },
];
