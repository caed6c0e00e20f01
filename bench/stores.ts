import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ChatStoreWriter } from '../test/support/cursorStore/chatStoreWriter.ts';
import { assistantMessage, call, userMessage } from '../test/support/cursorStore/messages.ts';
import { Session } from '../test/support/cursorStore/session.ts';
import { type Effort, type Group, latencyRows, type Row } from './row.ts';
import { StoreReaderProcess } from './storeReaderProcess.ts';

const megabyte = 1_000_000;
/** Which of them are measured for what. */
const sizes = [5, 50, 200, 1000] as const;
const memorySizes: readonly number[] = [5, 1000];
const scannedSize = 50;
const deadStores = 400;
const warmUps = 10;
const limits = { newChatMs: 1000, latencyMs: 60, threadMs: 10, memoryMb: 64, deadPercent: 0.1, idlePercent: 0.5 };

export const stores: Group = {
  name: 'stores',
  about: 'chats of Cursor, written by another process, followed by a bare one',
  async run(effort) {
    const rows: Row[] = [];
    for (const size of sizes) rows.push(...(await inFolder((root) => withLiveStore(root, size, effort))));
    rows.push(...(await inFolder((root) => atRest(root, effort))));
    return rows;
  },
};

async function inFolder(measure: (root: string) => Promise<Row[]>): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'sallyport-bench-'));
  try {
    return await measure(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** A conversation of some length, in a store of this many MB. */
async function startSession(root: string, size: number): Promise<Session> {
  const session = await Session.start(root);
  const messages = Array.from({ length: 300 }, (_, n) => userMessage(`${n} `.padEnd(2000, 'words ')));
  await session.tell({ do: 'say', messages });
  await session.tell({ do: 'grow', bytes: size * megabyte });
  return session;
}

async function withLiveStore(root: string, size: number, effort: Effort): Promise<Row[]> {
  const session = await startSession(root, size);
  const bare = await StoreReaderProcess.start('rest');
  const reader = await StoreReaderProcess.start('watch', root);
  try {
    for (let round = 0; round < warmUps; round++) await commit(session, reader, `warm-up-${round}`);
    const latencies: number[] = [];
    const perChange: number[] = [];
    for (let round = 0; round < effort.rounds(100); round++) {
      const before = await reader.usage();
      latencies.push(await commit(session, reader, `call-${round}`));
      // What a change costs afterwards belongs to it.
      await pause(60 + (round % 7) * 10);
      perChange.push((await reader.usage()).threadMs - before.threadMs);
    }
    const memory = ((await reader.usage()).rssBytes - (await bare.usage()).rssBytes) / megabyte;
    const of = `a store of ${size} MB`;
    return [
      ...latencyRows(`from the commit to the decoded call, ${of}`, latencies, limits.latencyMs),
      { what: `main thread per change, ${of}`, unit: 'ms', samples: perChange, atMost: limits.threadMs },
      ...(memorySizes.includes(size)
        ? [{ what: `memory (RSS) for ${of}`, unit: 'MB' as const, samples: [memory], atMost: limits.memoryMb }]
        : []),
      ...(size === scannedSize ? await scanned(session, effort) : []),
    ];
  } finally {
    await Promise.all([reader.end(), bare.end(), session.exit()]);
  }
}

/** What the usual way costs: all blobs, every 0.3 s. */
async function scanned(session: Session, effort: Effort): Promise<Row[]> {
  const reader = await StoreReaderProcess.start('scan', join(session.folder, 'store.db'));
  try {
    await commit(session, reader, 'scan-warm-up');
    const latencies: number[] = [];
    for (let round = 0; round < effort.rounds(20); round++) {
      latencies.push(await commit(session, reader, `scan-${round}`));
      await pause(60 + (round % 7) * 37);
    }
    const load = await loadOf(reader, effort.rounds(10) * 500);
    const of = `a store of ${scannedSize} MB, every blob read every 0.3 s`;
    return [
      ...latencyRows(`from the commit to the decoded call, ${of}`, latencies),
      { what: `one live session at rest, ${of}: of a core`, unit: '%', samples: [load] },
    ];
  } finally {
    await reader.end();
  }
}

/** Milliseconds from a commit to the moment at which the reader knows the call. */
async function commit(session: Session, reader: StoreReaderProcess, id: string): Promise<number> {
  const message = assistantMessage([call(id, { command: `make ${id}` })], Date.now());
  const committedMs = await session.tell({ do: 'pend', messages: [message] });
  return Math.max(0, (await reader.seenAt(id)) - committedMs);
}

async function atRest(root: string, effort: Effort): Promise<Row[]> {
  leaveStores(root);
  const forMs = effort.rounds(60) * 1000;
  const baseline = await StoreReaderProcess.start('rest');
  const reader = await StoreReaderProcess.start('watch', root);
  try {
    // What it costs to begin is not what it costs to go on.
    await pause(3000);
    const dead = await extraLoad(reader, baseline, forMs);
    const session = await startSession(root, 5);
    try {
      await commit(session, reader, 'waiting');
      await session.tell({ do: 'say', messages: [userMessage('go on')] });
      await pause(6000);
      const idle = await extraLoad(reader, baseline, forMs);
      await commit(session, reader, 'waiting again');
      const asking = await extraLoad(reader, baseline, forMs);
      const about = `of a core over ${forMs / 1000} s, a bare process taken off`;
      const newChats: number[] = [];
      for (let round = 0; round < effort.rounds(10); round++) newChats.push(await newChat(root, reader, round));
      return [
        {
          what: `from a new chat's first call to the decoded call, ${deadStores} stores`,
          unit: 'ms',
          samples: newChats,
          atMost: limits.newChatMs,
        },
        { what: `${deadStores} stores, none live: ${about}`, unit: '%', samples: [dead], atMost: limits.deadPercent },
        {
          what: `the same and one live session at rest: ${about}`,
          unit: '%',
          samples: [idle],
          atMost: limits.idlePercent,
        },
        { what: `the same while a call waits: ${about}`, unit: '%', samples: [asking], atMost: limits.idlePercent },
      ];
    } finally {
      await session.exit();
    }
  } finally {
    await Promise.all([reader.end(), baseline.end()]);
  }
}

/** Every second one in a new bucket. Milliseconds from its first pending call, which comes right after the chat itself. */
async function newChat(root: string, reader: StoreReaderProcess, round: number): Promise<number> {
  const session = await Session.start(root, { cwd: `/work/${Math.floor(round / 2)}` });
  try {
    return await commit(session, reader, `first-${round}`);
  } finally {
    await session.exit();
  }
}

/** Chats of sessions that ended, every second one of them in a crash. */
function leaveStores(root: string): void {
  const writer = new ChatStoreWriter({ root, cwd: '/work', id: 'first' });
  writer.addMessage(userMessage('Hello'));
  writer.commitHead([assistantMessage([call('left-behind')], 5)]);
  const bucket = dirname(writer.folder);
  for (let n = 0; n < deadStores; n += 2) cpSync(writer.folder, join(bucket, `crashed-${n}`), { recursive: true });
  writer.close();
  for (let n = 1; n < deadStores; n += 2) {
    const other = basename(bucket).slice(0, -3) + String(n % 100).padStart(3, '0');
    cpSync(writer.folder, join(dirname(bucket), other, `closed-${n}`), { recursive: true });
  }
}

async function extraLoad(reader: StoreReaderProcess, baseline: StoreReaderProcess, forMs: number): Promise<number> {
  const [ours, bare] = await Promise.all([loadOf(reader, forMs), loadOf(baseline, forMs)]);
  return ours - bare;
}

/** Per cent of a core. */
async function loadOf(reader: StoreReaderProcess, forMs: number): Promise<number> {
  const before = await reader.usage();
  await pause(forMs);
  const after = await reader.usage();
  return ((after.cpuMs - before.cpuMs) / (after.atMs - before.atMs)) * 100;
}
