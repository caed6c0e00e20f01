import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineId } from '../../src/protocol/model.ts';

/** What a stand-in for a CLI prints to tell who it is, the question it knows, and its two answers. */
interface Script {
  readonly file: string;
  readonly version: string;
  readonly help: string;
  readonly question: string;
  readonly signedIn: string;
  readonly signedOut: string;
}

/** By the wording of the real ones. */
const scripts: Readonly<Record<EngineId, Script>> = {
  codex: {
    file: 'codex',
    version: 'codex-cli 0.171.0',
    help: 'Commands:\n  exec   Run\n  login  Manage login',
    question: 'login status',
    signedIn: 'Logged in using ChatGPT',
    signedOut: 'Not logged in',
  },
  grok: {
    file: 'grok',
    version: 'grok 1.0.41 (4220f3b224a6)',
    help: 'Grok Build TUI\n  models  List\n --prompt-file <PATH>\n streaming-messages-json',
    question: 'models',
    signedIn: 'You are logged in with grok.com.',
    signedOut: 'You are not authenticated.',
  },
  claude: {
    file: 'claude',
    version: '2.1.332 (Claude Code)',
    help: '  --input-format <f>\n  --session-id <u>\n  --setting-sources <s>\n  --settings <f>\n  --strict-mcp-config  Only\n  --tools <t>\n  auth  Manage authentication',
    question: 'auth status',
    signedIn: '{"loggedIn": true, "email": "ada@example.com"}',
    signedOut: '{"loggedIn": false}',
  },
  cursor: {
    file: 'cursor-agent',
    version: '2026.08.04-1',
    help: 'Start the Cursor Agent\n  --output-format <f>\n  --resume [id]\n  --mode <m>\n  --trust  Trust\n  status  View authentication',
    question: 'status --format json',
    signedIn: '{"isAuthenticated": true, "userInfo": {"email": "ada@example.com"}}',
    signedOut: '{"isAuthenticated": false}',
  },
};

/** How a stand-in behaves. `signedOut`: until its `login` has run. `hung`: it never answers. */
export type AgentBehaviour = 'signedIn' | 'signedOut' | 'hung' | 'absent';

/** Puts programs that stand for the CLIs into a folder; what is not named there is taken away. */
export async function writeStandInAgents(
  folder: string,
  behaviours: Readonly<Partial<Record<EngineId, AgentBehaviour>>>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [id, { file, ...script }] of Object.entries(scripts)) {
    const path = join(folder, file);
    const behaviour = behaviours[id as EngineId] ?? 'absent';
    await rm(path, { force: true });
    if (behaviour === 'absent') continue;
    await writeFile(path, behaviour === 'hung' ? '#!/bin/sh\nexec sleep 60\n' : textOf(path, script, behaviour));
    await chmod(path, 0o755);
  }
}

function textOf(path: string, script: Omit<Script, 'file'>, behaviour: 'signedIn' | 'signedOut'): string {
  const says = (text: string) => `printf '%s\\n' '${text.replaceAll("'", `'\\''`)}'`;
  const signedOut = `if [ -e '${path}.signed-in' ]; then ${says(script.signedIn)}; else ${says(script.signedOut)}; fi`;
  return `#!/bin/sh
case "$*" in
  --version) ${says(script.version)} ;;
  --help) ${says(script.help)} ;;
  '${script.question}') ${behaviour === 'signedIn' ? says(script.signedIn) : signedOut} ;;
  login) : > '${path}.signed-in'; echo 'You are signed in now.' ;;
esac
`;
}
