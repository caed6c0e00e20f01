import assert from 'node:assert/strict';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Bench } from './bench.ts';
import { source } from './wiring.ts';

/** Absolute path of the server's program, as source. */
export const fromSource = source('mcpMain.ts');

/**
 * How an MCP client starts a standalone server, with the settings of a bench. `around` is a command line that starts the one
 * that is put behind it.
 */
export function serverFor(
  { wiring, workspace }: Bench,
  program = fromSource,
  around: readonly string[] = [],
): StdioClientTransport {
  const { tiers, environment, binaries } = wiring.settings;
  const [command, ...args] = [...around, process.execPath, program];
  return new StdioClientTransport({
    command,
    args,
    cwd: workspace,
    env: {
      PATH: process.env.PATH ?? '',
      SALLYPORT_STATE_DIR: wiring.state,
      SALLYPORT_ALLOW_UNSANDBOXED: '1',
      SALLYPORT_TIERS: JSON.stringify(Object.fromEntries(tiers.map((tier, index) => [index + 1, tier]))),
      SALLYPORT_EXPLORE_MODEL: JSON.stringify(tiers[0]),
      SALLYPORT_ENVIRONMENT: JSON.stringify(environment),
      ...Object.fromEntries(
        Object.entries(binaries).map(([engine, path]) => [`SALLYPORT_${engine.toUpperCase()}_PATH`, path]),
      ),
    },
    stderr: 'ignore',
  });
}

/** The handle in an answer's footer. */
export function sessionIn(text: string): string {
  return /^session_id: (\S+)$/m.exec(text)?.[1] ?? assert.fail(`no footer in: ${text}`);
}
