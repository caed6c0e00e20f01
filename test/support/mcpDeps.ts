import type { Logger } from '../../src/base/logger.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Delegation } from '../../src/delegation/task.ts';
import type { McpDeps } from '../../src/mcp/server.ts';

export const silentLog: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Everything a server needs, around a use case of the test's own. */
export function mcpDeps(delegation: Delegation, given: Partial<McpDeps> = {}): McpDeps {
  return {
    version: '9.9.9',
    clock: systemClock,
    log: silentLog,
    workspace: { kind: 'standalone', cwd: process.cwd() },
    settings: () => ({
      exploreModel: { engine: 'codex', model: 'reader', effort: 'low' },
      maxWaitMs: 50_000,
      resultMaxChars: 20_000,
    }),
    delegation: () => Promise.resolve(delegation),
    readStats: () => Promise.resolve({ rows: [] }),
    recursion: () => Promise.resolve(undefined),
    ...given,
  };
}
