import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTranscript, TranscriptWriter } from '../../../src/delegation/transcript.ts';

describe('transcript', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-transcript-'));
    file = join(folder, 'transcript.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const failing = (why: unknown) => assert.fail(String(why));

  it('keeps steps in order, for the person alone, and leaves out what is no step', async () => {
    const writer = new TranscriptWriter(file, failing);
    writer.add({ kind: 'session', id: 's' }, 1);
    writer.add({ kind: 'toolStarted', id: 't', title: 'ls' }, 2);
    writer.add({ kind: 'toolEnded', id: 't', ok: false }, 3);
    writer.add({ kind: 'message', text: 'Done.' }, 4);
    await writer.flush();
    assert.deepEqual(await readTranscript(file), {
      isWhole: true,
      steps: [
        { kind: 'toolStarted', at: 2, id: 't', title: 'ls' },
        { kind: 'toolEnded', at: 3, id: 't', ok: false },
        { kind: 'message', at: 4, text: 'Done.' },
      ],
    });
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('is bounded: the oldest steps go, and that is told', async () => {
    const writer = new TranscriptWriter(file, failing);
    for (let number = 0; number < 600; number++) {
      writer.add({ kind: 'message', text: `${number} ${'x'.repeat(3_990)}` }, number);
      if (number % 50 === 0) await writer.flush();
    }
    await writer.flush();
    const kept = await readTranscript(file);
    assert.equal(kept?.isWhole, false);
    assert.equal(kept.steps.at(-1)?.at, 599);
    assert.ok((kept.steps[0]?.at ?? 0) > 0);
    let size = 0;
    for (const name of await readdir(folder)) size += (await stat(join(folder, name))).size;
    assert.ok(size < 2 * 1024 * 1024, String(size));
  });

  it('is whole as long as nothing was dropped, and survives a torn line', async () => {
    const writer = new TranscriptWriter(file, failing);
    for (let number = 0; number < 150; number++) writer.add({ kind: 'message', text: 'x'.repeat(3_990) }, number);
    await writer.flush();
    await appendFile(file, '{"kind":"mess');
    const kept = await readTranscript(file);
    assert.deepEqual([kept?.isWhole, kept?.steps.length], [true, 150]);
  });

  it('says when the disk fails, and that there is none', async () => {
    const failures: unknown[] = [];
    const writer = new TranscriptWriter(join(folder, 'missing', 'x'), (why) => failures.push(why));
    writer.add({ kind: 'message', text: 'x' }, 1);
    await writer.flush();
    assert.equal(failures.length, 1);
    assert.equal(await readTranscript(file), undefined);
  });
});
