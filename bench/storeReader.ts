// Reads chats in a process of its own, so that what that costs can be told apart. Arguments: `watch` and Cursor's folder;
// `scan` and a store, which is read whole every 0.3 s; `rest`, which does nothing. Prints a line of JSON for every pending
// call it sees for the first time, and one with what was used so far for every line of stdin.
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../src/base/clock.ts';
import { createChatWatcher } from '../src/cursor/session/watcher.ts';
import { createOpenFiles } from '../src/process/openFiles.ts';
import { createProcessStates } from '../src/process/processStates.ts';

/** What a process has used since it started, at one moment. */
export interface Usage {
  atMs: number;
  /** The time its main thread was busy. */
  threadMs: number;
  /** The time of all its threads on a core. */
  cpuMs: number;
  rssBytes: number;
}

/** A pending call that was seen. */
export interface Sighting {
  atMs: number;
  id: string;
}

const scanMs = 300;
const marker = 'pendingToolCallStartedAtMs';
const [mode, place = ''] = process.argv.slice(2);
const seen = new Set<string>();
const now = (): number => performance.timeOrigin + performance.now();

function see(id: string): void {
  if (seen.has(id)) return;
  seen.add(id);
  const sighting: Sighting = { atMs: now(), id };
  process.stdout.write(`${JSON.stringify(sighting)}\n`);
}

function watch(): void {
  const quiet = (): void => undefined;
  const watcher = createChatWatcher({
    roots: [place],
    clock: systemClock,
    openFiles: createOpenFiles(),
    processes: createProcessStates(),
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  watcher.onDidChange(() => {
    for (const chat of watcher.chats()) {
      for (const { toolCallId } of chat.state?.pending ?? []) see(toolCallId);
    }
  });
}

/** As a reader does it that knows nothing of the head. */
function scan(): void {
  const database = new DatabaseSync(place, { readOnly: true });
  for (const { data } of database.prepare('SELECT data FROM blobs').iterate()) {
    if (!(data instanceof Uint8Array)) continue;
    const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
    if (!text.includes(marker)) continue;
    for (const [, id = ''] of text.matchAll(/"toolCallId":"([^"]+)"/g)) see(id);
  }
  database.close();
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const threadMs = performance.eventLoopUtilization().active;
  return { atMs: now(), threadMs, cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss() };
}

if (mode === 'watch') watch();
if (mode === 'scan') setInterval(scan, scanMs);
process.stdin.on('data', () => process.stdout.write(`${JSON.stringify(usage())}\n`));
process.stdin.on('end', () => process.exit());
process.stdout.write(`${JSON.stringify(usage())}\n`);
