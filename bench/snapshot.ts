import { join } from 'node:path';
import { ensureTool } from '../scripts/setup.ts';
import { createGit, type Git } from '../src/git/git.ts';
import { changesSince, takeSnapshot } from '../src/git/snapshot.ts';
import { capture } from '../src/process/capture.ts';
import { GitRepository } from '../test/support/gitRepository.ts';
import type { Group, Row } from './row.ts';
import { timed } from './turns.ts';

export const snapshot: Group = {
  name: 'snapshot',
  about: 'the state of a workspace before a run, and what changed after it (one file)',
  async run(effort) {
    const git = createGit({ capture, binary: await ensureTool('git'), env: process.env });
    const small = await measure(git, 50, effort.rounds(20));
    return [...small, ...(await measure(git, 10_000, effort.rounds(10)))];
  },
};

async function measure(git: Git, files: number, rounds: number): Promise<Row[]> {
  const repository = new GitRepository();
  try {
    repository.commit(Object.fromEntries(Array.from({ length: files }, (_, index) => file(index))));
    const before: number[] = [];
    const after: number[] = [];
    for (let round = -1; round < rounds; round++) {
      repository.write('changed.txt', 'before\n');
      const { taken, looked } = await oneRun(git, repository, join(repository.store, String(round)));
      if (round < 0) continue;
      before.push(taken);
      after.push(looked);
    }
    const about = `${files.toLocaleString('en-US')} files`;
    return [
      { what: `before, ${about}`, unit: 'ms', samples: before },
      { what: `after, ${about}`, unit: 'ms', samples: after },
    ];
  } finally {
    repository.remove();
  }
}

async function oneRun(git: Git, repository: GitRepository, store: string): Promise<{ taken: number; looked: number }> {
  let state: Awaited<ReturnType<typeof takeSnapshot>>;
  const taken = await timed(async () => (state = await takeSnapshot(git, repository.root, store)));
  repository.write('changed.txt', `after ${store}\n`);
  const looked = await timed(async () => {
    if (state === undefined) throw new Error('there is no repository');
    const { changes } = await changesSince(git, state);
    if (changes.length !== 1) throw new Error(`${changes.length} changes were seen instead of one`);
  });
  return { taken, looked };
}

/** Twenty files a folder, of some 400 bytes. */
function file(index: number): [path: string, text: string] {
  return [`folder${Math.floor(index / 20)}/file${index}.txt`, `line of file ${index}\n`.repeat(20)];
}
