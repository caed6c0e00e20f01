import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { CursorEditor } from '../cursorEditor.ts';
import type { InspectedProcess } from './inspectedProcess.ts';

/** What a window holds at a moment. Sizes in MB (10^6 bytes). */
export interface Sample {
  /** Since the start of the soak. */
  readonly minute: number;
  /** After garbage collection. */
  readonly heapMb: number;
  /** Outside the heap: buffers. */
  readonly externalMb: number;
  readonly rssMb: number;
  readonly fds: number;
  readonly threads: number;
  /** Processes below the extension host. */
  readonly children: number;
  /** Timers, sockets, watchers and the like that keep Node busy. */
  readonly resources: number;
  /** Elements of the Waiting view's page. */
  readonly elements: number;
  /** Terminal locks. */
  readonly locks: number;
  /** Entries of the temporary folder. */
  readonly temporary: number;
  /** The journal and the history of answers. */
  readonly keptMb: number;
}

const measuredSchema = z.object({
  heapUsed: z.number(),
  external: z.number(),
  rss: z.number(),
});
/** A look at a terminal comes and goes, with a process and its pipes, so the least of several counts. */
const looks = 5;
const lookAgainMs = 120;

/** Takes one, of the extension host `host` of an editor. `startedAt` in milliseconds since the epoch. */
export async function takeSample(host: InspectedProcess, editor: CursorEditor, startedAt: number): Promise<Sample> {
  await host.collectGarbage();
  const measured = measuredSchema.parse(await host.evaluate('process.memoryUsage()'));
  const state = join(editor.installed.folder, 'state');
  const least = async (count: () => Promise<number>) => {
    const counts: number[] = [];
    for (let look = 0; look < looks; look += 1) {
      counts.push(await count());
      await pause(lookAgainMs);
    }
    return Math.min(...counts);
  };
  const countIn = (folder: string) => least(async () => (await readdir(folder)).length);
  return {
    minute: (Date.now() - startedAt) / 60_000,
    heapMb: measured.heapUsed / 1e6,
    externalMb: measured.external / 1e6,
    rssMb: measured.rss / 1e6,
    fds: await countIn(`/proc/${host.pid}/fd`),
    threads: await countIn(`/proc/${host.pid}/task`),
    children: await least(() => descendantsOf(host.pid)),
    resources: await least(async () =>
      z.number().parse(await host.evaluate('process.getActiveResourcesInfo().length')),
    ),
    elements: await least(() => editor.cards.frame.locator('*').count()),
    locks: await countIn(join(state, 'locks')),
    temporary: await countIn(tmpdir()),
    keptMb: ((await bytesIn(join(state, 'journal'))) + (await bytesIn(join(state, 'answers')))) / 1e6,
  };
}

/** How many processes there are below one. */
export async function descendantsOf(pid: number): Promise<number> {
  let count = 0;
  for (const task of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const text = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '');
    for (const child of text.split(' ').filter((each) => each !== ''))
      count += 1 + (await descendantsOf(Number(child)));
  }
  return count;
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
