import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { newestServer } from './newestServer.ts';

/** The bundles are made for Node 20 and newer. */
const oldestNode = 20;

// Entry point of dist/launcher.cjs, of which a copy lies in Sallyport's state folder: starts the server program of the newest
// Sallyport that any editor of this person has installed, in this very process. Standard output is the protocol's.

function main(): void {
  const here = dirname(realpathSync(process.argv[1] ?? ''));
  const server = newestServer(here);
  if (server === undefined) {
    give(
      "it is in none of the editors it was used in any more, so its MCP server cannot start. Install Sallyport again, or take out this client's entry " +
        '(claude mcp remove sallyport, codex mcp remove sallyport, grok mcp remove sallyport; elsewhere delete it from the configuration).',
    );
    return;
  }
  if (Number.parseInt(process.versions.node, 10) < oldestNode) {
    give(
      `Node ${process.versions.node} at ${process.execPath} is too old for it. Start an editor with Sallyport once, so that its own runtime is used, or install Node ${oldestNode} or newer.`,
    );
    return;
  }
  // Clients pass few variables on: without this, history and sessions could end up beside those of the windows.
  const { SALLYPORT_STATE_DIR: named = '' } = process.env;
  if (named === '') process.env.SALLYPORT_STATE_DIR = dirname(here);
  process.argv[1] = server;
  createRequire(server)(server);
}

function give(why: string): void {
  process.stderr.write(`Sallyport: ${why}\n`);
  process.exitCode = 1;
}

main();
