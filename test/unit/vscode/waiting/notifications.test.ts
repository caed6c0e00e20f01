import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { PendingRequest } from '../../../../src/protocol/request.ts';
import { attentionText } from '../../../../src/vscode/waiting/attentionTexts.ts';
import { openClaims } from '../../../../src/vscode/waiting/claims.ts';
import { Notifications, type NotificationDeps } from '../../../../src/vscode/waiting/notifications.ts';
import { FakeClock } from '../../../support/fakes/clock.ts';
import { command, english, permission, question } from '../../../support/sampleRequests.ts';

type Attention = ReturnType<NotificationDeps['attention']>;

/** Windows of one person: they share the claims. */
function windows(...attentions: Attention[]) {
  const clock = new FakeClock();
  const claimed = new Set<string>();
  const shown: string[] = [];
  const claim = (id: string) => {
    const first = !claimed.has(id);
    claimed.add(id);
    return Promise.resolve(first);
  };
  const made = attentions.map((attention, index) => {
    const state = { attention, wanted: true };
    const notifications = new Notifications({
      clock,
      claim,
      attention: () => state.attention,
      wanted: () => state.wanted,
      show: ({ id }) => shown.push(`${index} ${id}`),
    });
    return { state, update: (requests: PendingRequest[]) => notifications.update(requests), notifications };
  });
  const settle = async () => {
    await turn();
    clock.advance(400);
    await turn();
  };
  return { made, shown, settle, clock };
}

describe('notifications', () => {
  it('come once for each request, in the window that is looked at', async () => {
    const { made, shown, settle } = windows('away', 'near', 'away');
    for (let round = 0; round < 3; round += 1) {
      for (const { update } of made) update([command('a', 'x'), command('b', 'y')]);
      await settle();
    }
    assert.deepEqual(shown, ['1 a', '1 b']);
  });

  it('come in one window when none is looked at', async () => {
    const { made, shown, settle } = windows('away', 'away');
    for (const { update } of made) update([command('a', 'x')]);
    await settle();
    assert.deepEqual(shown, ['0 a']);
  });

  it('do not come for what was seen as it came, in no window', async () => {
    const { made, shown, settle } = windows('watched', 'away');
    for (const { update } of made) update([command('a', 'x')]);
    await settle();
    assert.deepEqual(shown, []);
  });

  it('do not come for what is over by then, waits its turn, may be running, or is being answered', async () => {
    const { made, shown, settle } = windows('away');
    const [window] = made;
    window?.update([
      command('over', 'x'),
      command('later', 'x', { answerable: { state: 'later', why: '' } }),
      command('maybe', 'x', { certainty: 'mayBeWaiting' }),
      command('sent', 'x', { delivery: { state: 'sending' } }),
    ]);
    window?.update([command('later', 'x', { answerable: { state: 'later', why: '' } })]);
    await settle();
    assert.deepEqual(shown, []);
    window?.update([command('later', 'x')]);
    await settle();
    assert.deepEqual(shown, ['0 later']);
  });

  it('do not come to who does not want them, and not after the end', async () => {
    const { made, shown, settle, clock } = windows('away', 'away');
    const [first, second] = made;
    if (first) first.state.wanted = false;
    first?.update([command('a', 'x')]);
    second?.update([command('b', 'x')]);
    second?.notifications.dispose();
    await settle();
    assert.deepEqual(shown, []);
    assert.equal(clock.pending, 0);
  });

  it('say whose session it is and what it wants, in one line without links', () => {
    const text = (request: PendingRequest) => attentionText(request, english);
    assert.equal(text(command('a', 'npm test')), 'payments-api wants to run: npm test');
    assert.equal(text(permission('a', { kind: 'delete', path: '.env' })), 'payments-api wants to delete: .env');
    const asked = question('q', [{ prompt: '[x](command:y)\n?\u202e', options: [], allowsMultiple: false }]);
    assert.equal(text(asked), 'payments-api asks: [x] (command:y) ?\\u{202e}');
  });
});

describe('claims', () => {
  const now = Date.now();
  const warnings: string[] = [];
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (text: string) => warnings.push(text),
    error: () => undefined,
  };
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claims-'));
    warnings.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = (at = join(folder, 'notified')) => openClaims({ folder: at, now: () => now, log });

  it('are had by one of many who ask at once, and not again after a restart', async () => {
    const had = await Promise.all(Array.from({ length: 8 }, () => open()('an id/../ of any kind\0')));
    assert.equal(had.filter(Boolean).length, 1);
    assert.equal(await open()('an id/../ of any kind\0'), false);
    assert.equal(await open()('another'), true);
  });

  it('are forgotten after 7 days', async () => {
    const old = join(folder, 'old');
    const recent = join(folder, 'recent');
    const day = 24 * 3600;
    for (const [path, days] of [
      [old, 8],
      [recent, 6],
    ] as const) {
      await writeFile(path, '');
      await utimes(path, now / 1000 - days * day, now / 1000 - days * day);
    }
    await open(folder)('x');
    const left = await readdir(folder);
    assert.equal(left.includes('old'), false);
    assert.equal(left.includes('recent'), true);
  });

  it('are had once by each window where nothing can be written, which is said', async () => {
    await writeFile(join(folder, 'file'), '');
    const claim = open(join(folder, 'file', 'below'));
    assert.deepEqual([await claim('a'), await claim('a')], [true, false]);
    assert.equal(warnings.length, 1);
  });
});
