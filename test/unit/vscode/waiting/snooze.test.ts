import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Snooze } from '../../../../src/vscode/waiting/snooze.ts';
import { FakeClock } from '../../../support/fakes/clock.ts';
import { eventually } from '../../../support/processes/runs.ts';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const minute = 60_000;

describe('snooze', () => {
  let folder: string;
  const opened: Snooze[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sp-snooze-'));
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) each.dispose();
    await rm(folder, { recursive: true, force: true });
  });
  const open = async (clock: FakeClock) => {
    const snooze = new Snooze({ folder: join(folder, 'snooze'), clock, log });
    opened.push(snooze);
    await snooze.open();
    return snooze;
  };

  it('is heard by every window, and by one that opens later', async () => {
    const clock = new FakeClock();
    const [one, two] = [await open(clock), await open(clock)];
    await one.start(10 * minute);
    const until = clock.now() + 10 * minute;
    assert.equal(one.untilMs, until);
    await eventually('the other window hears it', () => Promise.resolve(two.untilMs === until));
    assert.equal((await open(clock)).untilMs, until);
    await two.end();
    await eventually('the first hears the end', () => Promise.resolve(one.untilMs === undefined));
    assert.deepEqual(await readdir(join(folder, 'snooze')), []);
  });

  it('ends by itself, and says so', async () => {
    const clock = new FakeClock();
    const snooze = await open(clock);
    const ranOut: number[] = [];
    snooze.onDidRunOut((at) => ranOut.push(at));
    await snooze.start(10 * minute);
    const until = snooze.untilMs;
    clock.advance(10 * minute - 1);
    assert.deepEqual([snooze.untilMs, ranOut], [until, []]);
    clock.advance(1);
    assert.deepEqual([snooze.untilMs, ranOut], [undefined, [until]]);
    await snooze.start(minute);
    await snooze.end();
    clock.advance(10 * minute);
    assert.deepEqual(ranOut, [until], 'who ends it needs not be told');
    assert.equal((await open(clock)).untilMs, undefined);
  });

  it('takes nothing from a file that makes no sense', async () => {
    const clock = new FakeClock();
    const snooze = await open(clock);
    for (const text of ['', 'soon', String(clock.now() - 1), String(clock.now() + 24 * 60 * minute)]) {
      await writeFile(join(folder, 'snooze', 'until'), text);
      assert.equal((await open(clock)).untilMs, undefined, text);
    }
    assert.equal(snooze.untilMs, undefined);
  });
});
