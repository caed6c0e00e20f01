import { serverName } from './clientTable.ts';
import type { LauncherCommand } from './launcherScript.ts';

/** What a client without a command of its own is to be told, and where. */
export interface Snippet {
  client: string;
  /** The file, as its users write it. */
  file: string;
  /** How that client itself opens it, in its own words. */
  how?: string;
  language: 'json' | 'toml';
  text: string;
}

type Form = (server: LauncherCommand) => object;

const mcpServers: Form = ({ command, args }) => ({ mcpServers: { [serverName]: { command, args } } });

/** From each client's own documentation (the pages are named in docs/clients.md). */
const jsonClients: readonly (Pick<Snippet, 'client' | 'file' | 'how'> & { form: Form })[] = [
  { client: 'Cursor', file: '~/.cursor/mcp.json', form: mcpServers },
  {
    client: 'Claude Desktop',
    file: 'claude_desktop_config.json',
    how: 'Settings, Developer, Edit Config',
    form: mcpServers,
  },
  {
    client: 'VS Code without this extension',
    file: 'mcp.json',
    how: 'MCP: Open User Configuration',
    form: ({ command, args }) => ({ servers: { [serverName]: { type: 'stdio', command, args } } }),
  },
  { client: 'Windsurf', file: '~/.codeium/windsurf/mcp_config.json', form: mcpServers },
  { client: 'Gemini CLI', file: '~/.gemini/settings.json', form: mcpServers },
  { client: 'Cline', file: 'cline_mcp_settings.json', how: 'Configure MCP Servers', form: mcpServers },
  {
    client: 'Zed',
    file: 'settings.json',
    how: 'zed: open settings',
    form: ({ command, args }) => ({ context_servers: { [serverName]: { command, args, env: {} } } }),
  },
  {
    client: 'opencode',
    file: '~/.config/opencode/opencode.json',
    form: ({ command, args }) => ({
      mcp: { [serverName]: { type: 'local', command: [command, ...args], enabled: true } },
    }),
  },
];

/** What to paste for every client that is known, Cursor first. JSON strings are TOML strings as well. */
export function snippetsFor(server: LauncherCommand): Snippet[] {
  const json = jsonClients.map(({ form, ...client }): Snippet => {
    return { ...client, language: 'json', text: JSON.stringify(form(server), null, 2) };
  });
  const toml = `[mcp_servers.${serverName}]\ncommand = ${JSON.stringify(server.command)}\nargs = ${JSON.stringify(server.args)}`;
  return [...json, { client: 'Codex', file: '~/.codex/config.toml', language: 'toml', text: toml }];
}
