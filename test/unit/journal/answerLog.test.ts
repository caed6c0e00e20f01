import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAnswerLog } from '../../../src/journal/answerLog.ts';
import type { AnswerRecord } from '../../../src/protocol/request.ts';
import { systemClock } from '../../../src/base/clock.ts';

const dayMs = 86_400_000;
const today = Date.parse('2026-03-10T12:00:00Z');

describe('the log of answers', () => {
  let folder: string;
  beforeEach(() => (folder = join(mkdtempSync(join(tmpdir(), 'sallyport-answers-')), 'answers')));
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  const open = (now = today) => {
    const errors: string[] = [];
    const log = openAnswerLog({
      folder,
      clock: { ...systemClock, now: () => now },
      onError: (message) => errors.push(message),
    });
    return { log, errors };
  };
  const record = (id: string, atMs: number): AnswerRecord => {
    return { id, atMs, what: `git push ${id}`, session: 'payments', answer: 'approve', end: 'confirmed' };
  };

  it('tells the answers of all windows, newest first', async () => {
    const [one, two] = [open().log, open().log];
    await one.append(record('a', today - 3));
    await two.append(record('b', today - 1));
    await one.append(record('c', today - 2));
    assert.deepEqual(
      (await two.read()).map(({ id }) => id),
      ['b', 'c', 'a'],
    );
    assert.deepEqual((await two.read())[0], record('b', today - 1));
    await Promise.all([one.dispose(), two.dispose()]);
  });

  it('is for the person alone', async () => {
    const { log } = open();
    await log.append(record('a', today));
    const [file = ''] = readdirSync(folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600);
    await log.dispose();
  });

  it('keeps 7 days, and then deletes the files', async () => {
    const { log } = open();
    await log.append(record('a', today));
    await log.dispose();
    const [file = ''] = readdirSync(folder);
    utimesSync(join(folder, file), new Date(today), new Date(today));
    assert.equal((await open(today + 6.9 * dayMs).log.read()).length, 1);
    assert.equal((await open(today + 7.1 * dayMs).log.read()).length, 0);
    assert.deepEqual(readdirSync(folder), [file]);
    await open(today + 8.6 * dayMs).log.read();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('loses a torn line alone', async () => {
    const { log } = open();
    await log.append(record('a', today));
    const [file = ''] = readdirSync(folder);
    appendFileSync(join(folder, file), '{"id":"b","atMs":17\n');
    await log.append(record('c', today));
    assert.deepEqual(
      (await log.read()).map(({ id }) => id),
      ['a', 'c'],
    );
    await log.dispose();
  });

  it('tells what the disk did not take, and says so', async () => {
    writeFileSync(folder, 'in the way');
    const { log, errors } = open();
    await log.append(record('a', today));
    assert.equal(errors.length, 1);
    assert.deepEqual(
      (await log.read()).map(({ id }) => id),
      ['a'],
    );
    await log.dispose();
  });
});
