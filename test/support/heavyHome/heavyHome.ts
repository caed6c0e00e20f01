import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LoopbackEngine } from '../agentHomes.ts';

/** Stands in everything of a heavy home that could reach the model. */
export const heavyWord = 'heavyhome';

/** The size of what people keep in such files: rules of 20,000 characters, 30 skills, one server with 20 tools. */
const rules = `# Rules of ${heavyWord}\n${'- Always say first which of the rules you are about to follow, and why.\n'.repeat(300)}`;
const skills = 30;

/**
 * Fills the home of a CLI with what a person collects there over a year: rules, skills, sub-agents, hooks and an MCP
 * server. A hook or the server that is started makes `started`. `folder` is the CLI's state folder. All paths absolute.
 */
export async function fillHome(engine: LoopbackEngine, folder: string, started: string): Promise<void> {
  const server = { command: process.execPath, args: [join(import.meta.dirname, 'notesServer.mjs'), started] };
  await write(join(folder, engine === 'claude' ? 'CLAUDE.md' : 'AGENTS.md'), rules);
  for (let index = 0; index < skills; index++) {
    const name = `${heavyWord}-${index}`;
    const about = `${heavyWord} skill ${index}: ${'used whenever there is something to be done. '.repeat(4)}`;
    await write(join(folder, 'skills', name, 'SKILL.md'), `---\nname: ${name}\ndescription: ${about}\n---\nDo it.\n`);
  }
  if (engine === 'claude') {
    const hook = { hooks: [{ type: 'command', command: `touch '${started}'; echo ${heavyWord}` }] };
    await write(join(folder, 'settings.json'), JSON.stringify({ hooks: { UserPromptSubmit: [hook] } }));
    await write(join(folder, '.claude.json'), JSON.stringify({ mcpServers: { notes: { type: 'stdio', ...server } } }));
    return;
  }
  const table = `\n[mcp_servers.notes]\ncommand = ${JSON.stringify(server.command)}\nargs = ${JSON.stringify(server.args)}\n`;
  await appendFile(join(folder, 'config.toml'), table);
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** The variable that names each CLI's state folder. */
export const stateVariable: Readonly<Record<LoopbackEngine, string>> = {
  codex: 'CODEX_HOME',
  claude: 'CLAUDE_CONFIG_DIR',
  grok: 'GROK_HOME',
};
