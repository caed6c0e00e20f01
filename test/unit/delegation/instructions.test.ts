import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job } from '../../../src/delegation/job.ts';
import { withInstructions } from '../../../src/delegation/instructions.ts';
import type { Task } from '../../../src/delegation/task.ts';

describe('what a worker is told', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-instructions-'));
    writeFileSync(join(folder, 'digger.md'), '---\nname: digger\nmodel: opus\n---\nYou dig.\n');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const job = (over: Partial<Task>): Job => ({
    task: {
      tool: 'delegate',
      prompt: 'mend it',
      access: 'workspaceWrite',
      cwd: folder,
      choice: { by: 'level', level: 1 },
      ...over,
    },
    candidates: [],
    notes: [],
  });
  const tell = (asked: Job, terseWorkers = false) =>
    withInstructions(asked, {
      settings: () => ({ terseWorkers }),
      personaRoots: (cwd) => Promise.resolve([{ folder: cwd }]),
    });

  it('is the persona, then what the tool asks for, then the style', async () => {
    const { task } = await tell(job({ agent: 'digger', instructions: 'Report.' }), true);
    assert.match(task.instructions ?? '', /^You dig\.\n\nReport\.\n\nBe terse/);
    const given = await tell(job({ agent: { prompt: 'You fill holes.' } }));
    assert.equal(given.task.instructions, 'You fill holes.');
  });

  it('is the style alone where nothing else is said, and nothing where that is off', async () => {
    assert.match((await tell(job({}), true)).task.instructions ?? '', /^Be terse/);
    assert.deepEqual(await tell(job({})), job({}));
    assert.equal((await tell(job({ instructions: 'Report.' }))).task.instructions, 'Report.');
  });

  it('is nothing new for a session that goes on', async () => {
    const going = { ...job({}), resume: { id: 's1' } };
    assert.deepEqual(await tell(going, true), going);
  });

  it('refuses a persona that is not there, or says nothing', async () => {
    for (const [agent, why] of [
      ['nobody', /There is no agent "nobody"\. There are: digger/],
      ['../digger', /is no name/],
      [{ prompt: ' \n' }, /prompt of agent is empty/],
    ] as const) {
      const { refused } = await tell(job({ agent }));
      assert.equal(refused?.reason, 'badRequest');
      assert.match(refused.message, why);
    }
  });
});
