import assert from 'node:assert/strict';
import type { AnswerRecord, Delivery, PendingRequest } from '../../../../src/protocol/request.ts';
import { outcomeLine, outcomeRows } from '../../../../src/vscode/answerNext/outcomes.ts';
import { Quiet } from '../../../../src/vscode/answerNext/quiet.ts';
import { Reading } from '../../../../src/vscode/answerNext/reading.ts';
import { isSameQuestion, Walk } from '../../../../src/vscode/answerNext/walk.ts';
import { FakeClock } from '../../../support/fakes/clock.ts';
import { command, english, sampleNow } from '../../../support/sampleRequests.ts';

const failed: Delivery = { state: 'notDelivered', why: 'The pane is in copy mode.', screen: [], retry: 'again' };
const record = (id: string, end: AnswerRecord['end']): AnswerRecord => ({ id, atMs: 1, what: 'x', session: 's', end });

describe('the walk through what waits', () => {
  it('takes the oldest that can be answered from here', () => {
    const requests = [
      command('young', 'x', { sinceMs: sampleNow }),
      command('closed', 'x', { sinceMs: sampleNow - 9000, answerable: { state: 'no', why: '' } }),
      command('maybe', 'x', { sinceMs: sampleNow - 8000, certainty: 'mayBeWaiting' }),
      command('later', 'x', { sinceMs: sampleNow - 7000, answerable: { state: 'later', why: '' } }),
      command('sent', 'x', { sinceMs: sampleNow - 6000, delivery: { state: 'sending' } }),
      command('old', 'x', { sinceMs: sampleNow - 5000 }),
    ];
    const walk = new Walk();
    const met: string[] = [];
    for (let next = walk.next(requests); next; next = walk.next(requests)) {
      met.push(`${next.id} of ${walk.left(requests)}`);
      walk.pass(next);
    }
    assert.deepEqual(met, ['old of 2', 'young of 1']);
  });

  it('comes back to what was passed over only when it is another question, or its answer failed', () => {
    const walk = new Walk();
    const request = command('a', 'x');
    walk.pass(request);
    assert.equal(walk.next([request]), undefined);
    assert.equal(walk.next([{ ...request, hash: 'other' }])?.id, 'a');
    assert.equal(walk.next([{ ...request, delivery: failed }])?.id, 'a');
  });

  it('knows what became of each answer', () => {
    const walk = new Walk();
    const ids = ['sending', 'accepted', 'failed', 'confirmed', 'elsewhere', 'vanished', 'lost'];
    for (const id of ids) walk.gave(command(id, `make ${id}`));
    const pending: PendingRequest[] = [
      command('sending', 'x', { delivery: { state: 'sending' } }),
      command('accepted', 'x', { delivery: { state: 'running' } }),
      command('failed', 'x', { delivery: failed }),
    ];
    const history = [
      record('confirmed', 'confirmed'),
      record('elsewhere', 'answeredElsewhere'),
      record('lost', 'notDelivered'),
    ];
    const fates = walk.fates(pending, history);
    assert.deepEqual(
      fates.map(({ given, fate }) => [given.request.id, fate.kind]),
      [
        ['sending', 'sending'],
        ['accepted', 'arrived'],
        ['failed', 'failed'],
        ['confirmed', 'arrived'],
        ['elsewhere', 'ended'],
        ['vanished', 'ended'],
        ['lost', 'failed'],
      ],
    );
    assert.equal(
      outcomeLine(fates, english),
      '2 accepted · 1 on the way · 2 not delivered · 2 over before · The pane is in copy mode.',
    );
    assert.match(outcomeRows(fates, english)[4] ?? '', /^\$\(error\) .*make failed · The pane is in copy mode\.$/);
    assert.equal(outcomeLine([], english), '');
  });

  it('takes an answer only for what is still asked as it was shown', () => {
    const shown = command('a', 'x');
    assert.ok(isSameQuestion(shown, { ...shown, sinceMs: 1 }));
    assert.ok(!isSameQuestion(shown, undefined));
    assert.ok(!isSameQuestion(shown, { ...shown, hash: 'other' }));
    assert.ok(!isSameQuestion(shown, { ...shown, delivery: { state: 'sending' } }));
    assert.ok(!isSameQuestion(shown, { ...shown, answerable: { state: 'no', why: '' } }));
  });
});

describe('what has just appeared', () => {
  /** How many of these keys count, which come so many milliseconds after one another. */
  const counted = (...gaps: number[]) => {
    const clock = new FakeClock();
    const quiet = new Quiet(clock);
    let count = 0;
    for (const gap of gaps) {
      clock.advance(gap);
      quiet.take(() => (count += 1));
    }
    clock.advance(5000);
    quiet.dispose();
    assert.equal(clock.pending, 0);
    return count;
  };

  it('takes a key after half a second without any', () => {
    assert.equal(counted(499), 0);
    assert.equal(counted(500), 1);
    assert.equal(counted(400, 499), 0);
    assert.equal(counted(400, 500, 500), 2);
  });

  it('takes none that is hammered, though all arrive late and at once', () => {
    assert.equal(counted(700, 0, 0, 0), 0);
    assert.equal(counted(100, 60, 60, 900, 1, 60, 60), 0);
  });

  it('takes none when something else appears', () => {
    const clock = new FakeClock();
    const quiet = new Quiet(clock);
    clock.advance(600);
    quiet.take(() => assert.fail('it counted'));
    clock.advance(50);
    quiet.startOver();
    clock.advance(5000);
  });
});

describe('what has been read', () => {
  it('is what the person went down to, and not where a letter takes the focus', () => {
    const clock = new FakeClock();
    const reached: number[] = [];
    const reading = new Reading(clock, (count) => reached.push(count));
    reading.cameTo(3);
    clock.advance(100);
    reading.cameTo(5);
    clock.advance(150);
    assert.deepEqual(reached, [5]);
    // The editor may tell of the focus before it tells of the letter, or after.
    reading.cameTo(40);
    reading.typed();
    reading.cameTo(41);
    clock.advance(499);
    reading.cameTo(1);
    clock.advance(1000);
    assert.deepEqual(reached, [5]);
    reading.cameTo(12);
    clock.advance(150);
    assert.deepEqual(reached, [5, 12]);
    reading.cameTo(13);
    reading.dispose();
    assert.equal(clock.pending, 0);
  });
});
