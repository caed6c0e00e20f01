import { tmpdir } from 'node:os';
import { systemClock } from '../base/clock.ts';
import { lazy } from '../base/lazy.ts';
import type { Logger } from '../base/logger.ts';
import { stats } from '../journal/stats.ts';
import { listenForRelays, type RelayListener } from '../mcp/relayListener.ts';
import { createMcpServer } from '../mcp/server.ts';
import { startOf } from '../mcp/statsTable.ts';
import { depthVariable } from '../process/marker.ts';
import { createProcessTable } from '../process/processTable.ts';
import type { WindowRoom } from './windowRoom.ts';
import { foldersOnDisk } from './workspaceFolders.ts';

export interface WindowRelayDeps {
  log: Logger;
  version: string;
  room: WindowRoom;
  /** Chat has called a tool. */
  onToolCalled: () => void;
}

/** Opens this window's private socket: each process the editor starts for its chat gets a server of its own behind it. */
export function openWindowRelay({ log, version, room, onToolCalled }: WindowRelayDeps): Promise<RelayListener> {
  const createServer = () =>
    createMcpServer({
      version,
      clock: systemClock,
      log,
      workspace: { kind: 'window', folders: () => foldersOnDisk().map(({ uri }) => uri.fsPath) },
      settings: () => ({
        exploreModel: room.config.exploreModel,
        maxWaitMs: room.config.mcp.maxWaitSeconds * 1000,
        resultMaxChars: room.config.result.maxChars,
      }),
      delegation: () => Promise.resolve(room.delegation),
      readStats: async (period) => stats(await room.journal.read(), startOf(period, systemClock.now())),
      recursion: lazy(whyNoWorkers),
      onToolCalled,
    });
  const folders = [process.env.XDG_RUNTIME_DIR, tmpdir(), '/tmp'].filter((folder) => folder !== undefined);
  return listenForRelays({ folders, createServer, clock: systemClock, log });
}

/** An editor that a worker opened would let its chat delegate on and on. */
async function whyNoWorkers(): Promise<string | undefined> {
  if (!(await createProcessTable().bornUnder(depthVariable))) return undefined;
  return 'This editor was opened by a worker of Sallyport, and workers do not delegate further. Do the work yourself.';
}
