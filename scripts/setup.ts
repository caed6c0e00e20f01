import { ensureNpmTool, npmToolNames } from './npmTools.ts';
import type { NpmToolName } from './npmTools.ts';
import { ensureSystemTool, systemToolNames } from './systemTools.ts';
import type { SystemToolName } from './systemTools.ts';

/** Everything outside node_modules that a test or the demo can need. */
export type ToolName = NpmToolName | SystemToolName;

/**
 * Makes sure that a tool is there, installing it when that is possible without asking (npm packages into the cache,
 * system packages only when root on Debian). Returns the absolute path of its executable; for code-server, of the
 * script that Node runs. Rejects with a message that says what the person can do.
 */
export async function ensureTool(name: ToolName): Promise<string> {
  return isNpmTool(name) ? await ensureNpmTool(name) : await ensureSystemTool(name);
}

function isNpmTool(name: ToolName): name is NpmToolName {
  return npmToolNames.some((each) => each === name);
}

/** `node scripts/setup.ts [tool...]`: sets up the tools named, or all of them. */
async function main(wanted: readonly string[]): Promise<void> {
  const known: readonly ToolName[] = [...systemToolNames, ...npmToolNames];
  const unknown = wanted.filter((name) => !known.some((each) => each === name));
  if (unknown.length > 0) throw new Error(`unknown tool ${unknown.join(', ')}; known: ${known.join(', ')}`);
  for (const name of wanted.length === 0 ? known : known.filter((each) => wanted.includes(each))) {
    try {
      console.log(`${name}: ${await ensureTool(name)}`);
    } catch (error) {
      console.log(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] === import.meta.filename) void main(process.argv.slice(2));
