import assert from 'node:assert/strict';
import type { Answer } from '../../../src/protocol/request.ts';
import { fakeCall, fakeChat, fakeForm, fakeProcess } from '../../support/fakes/chats.ts';
import { approve, ApprovalsBench, refusal, reject } from './bench.ts';

const deploy = fakeCall('make deploy');
const explained: Answer = { kind: 'reject', reason: 'not\ton a Friday' };
const branch = { prompt: 'Which branch?', options: ['main', 'next', 'main'], allowMultiple: false };
const checks = { prompt: 'Which checks?', options: ['lint', 'test', 'bench'], allowMultiple: true };

describe('delivering an answer', () => {
  let bench: ApprovalsBench;

  beforeEach(async () => {
    bench = new ApprovalsBench();
    bench.chats.set(fakeChat('one'));
    bench.chats.pend('one', [deploy]);
    bench.terminal.ask('make deploy');
    await bench.pass(200);
  });

  afterEach(() => {
    bench.approvals.dispose();
    assert.equal(bench.terminal.isHeld, false);
  });

  function failure(): { why: string; retry: string; screen: readonly string[] } {
    const { delivery } = bench;
    assert.ok(delivery?.state === 'notDelivered', delivery?.state);
    return delivery;
  }

  function typed(): string[] {
    return bench.terminal.received.map(({ input, on }) => `${input} on ${on}`);
  }

  it('types nothing where the terminal cannot be reserved, says what to do, and can be tried again', async () => {
    bench.locks.problem = 'EROFS: read-only file system';
    bench.answer(approve);
    await bench.pass(1000);
    const { why, retry } = failure();
    assert.match(why, /could not be reserved \(EROFS.*answer in it, or mend that.*Nothing was typed\./);
    assert.equal(retry, 'again');
    bench.locks.problem = undefined;
    bench.answer(approve);
    await bench.pass(1000);
    assert.deepEqual(typed(), ['y on menu']);
  });

  describe('what is typed', () => {
    it('is y for an approval', async () => {
      bench.answer(approve);
      await bench.pass(1000);
      assert.deepEqual(typed(), ['y on menu']);
    });

    it('is Escape, the reason as literal text, and Enter, with gaps, for a rejection', async () => {
      bench.terminal.lagMs = 20;
      bench.answer(explained);
      await bench.pass(5000);
      assert.deepEqual(typed(), ['Escape on menu', '"not on a Friday" on reason', 'Enter on reason']);
      const [first = 0, second = 0, third = 0] = bench.terminal.received.map(({ atMs }) => atMs);
      assert.ok(second - first >= 200, 'nothing follows Escape at once');
      assert.ok(third - second >= 550, 'nor Enter a text');
      assert.deepEqual(bench.terminal.done, [{ what: 'make deploy', how: 'rejected', reason: 'not on a Friday' }]);
      assert.deepEqual(bench.delivery, { state: 'running' });
    });

    it('is no Enter where nobody asks for the reason, and the person hears of it', async () => {
      bench.terminal.asksReason = false;
      bench.answer(explained);
      await bench.pass(3000);
      assert.deepEqual(bench.terminal.keys, ['Escape']);
      assert.equal(bench.delivery?.state, 'running');
      assert.equal(bench.problems.length, 1);
    });

    it('fills in a form, by index', async () => {
      bench.chats.pend('one', [fakeForm('ask', [branch, checks])]);
      const form = bench.terminal.askForm([branch, checks]);
      await bench.pass(600);
      const answers = [
        { options: [2], other: '' },
        { options: [0, 2], other: 'docs' },
      ];
      assert.deepEqual(bench.answer({ kind: 'answers', answers }), { taken: true });
      await bench.pass(10_000);
      assert.deepEqual(form.checked, [new Set([2]), new Set([0, 2])]);
      assert.deepEqual(form.other, ['', 'docs']);
      const times = bench.terminal.received.map(({ atMs }) => atMs);
      assert.ok(times.slice(1).every((at, index) => at - (times[index] ?? 0) >= 150));
      assert.equal(bench.delivery?.state, 'running');
      bench.chats.pend('one', []);
      assert.equal(bench.ends.at(-1), 'confirmed');
    });

    it('is one Escape to skip a form', async () => {
      bench.chats.pend('one', [fakeForm('ask', [branch])]);
      bench.terminal.askForm([branch]);
      await bench.pass(600);
      bench.answer({ kind: 'skip' });
      await bench.pass(2000);
      assert.deepEqual(bench.terminal.keys, ['Escape']);
      assert.deepEqual(bench.terminal.done, [{ what: 'form', how: 'skipped' }]);
    });

    it('waits for what the person types, and what they type waits for it', async () => {
      let held = false;
      bench.terminal.afterLook = () => (held ||= bench.terminal.isHeld);
      bench.answer(approve);
      await bench.pass(100);
      assert.ok(held);
      await bench.pass(1000);
      assert.equal(bench.terminal.isHeld, false);
    });
  });

  describe('what is refused', () => {
    it('is a second answer, an unknown request, and one that has changed', async () => {
      const request = bench.only;
      assert.deepEqual(bench.answer(approve), { taken: true });
      assert.equal(refusal(bench.answer(reject)), 'alreadyAnswered');
      await bench.pass(1000);
      assert.equal(refusal(bench.answer(approve)), 'alreadyAnswered');
      assert.equal(refusal(bench.answer(approve, { ...request, id: 'other' })), 'unknownRequest');
      bench.chats.pend('one', []);
      assert.equal(refusal(bench.answer(approve, request)), 'unknownRequest');
      bench.chats.pend('one', [deploy]);
      bench.terminal.ask('make deploy');
      await bench.pass(500);
      assert.equal(refusal(bench.answer(approve, { ...request, hash: 'other' })), 'changed');
      assert.equal(refusal(bench.answer(approve, bench.only, true)), 'notAnswerable');
      assert.deepEqual(bench.terminal.keys, ['y']);
    });
  });

  describe('before a key', () => {
    it('notices that the store has moved on', async () => {
      bench.terminal.afterLook = () => bench.chats.pend('one', []);
      bench.answer(approve);
      await bench.pass(1000);
      assert.deepEqual(bench.terminal.keys, []);
      assert.deepEqual(bench.ends, ['answeredElsewhere']);
    });

    it('notices that the call is another one', async () => {
      bench.terminal.afterLook = () =>
        bench.chats.pend('one', [{ ...deploy, args: { command: 'make deploy', force: true } }]);
      bench.answer(approve);
      await bench.pass(1000);
      assert.deepEqual(bench.terminal.keys, []);
      assert.match(failure().why, /changed.*Nothing was typed/);
      assert.equal(failure().retry, 'again');
    });

    it('waits for the newest state of the store to be readable', async () => {
      bench.chats.change('one', { problem: 'It is being written.' });
      bench.answer(approve);
      await bench.pass(3000);
      assert.deepEqual(bench.terminal.keys, []);
      bench.chats.change('one', { problem: undefined });
      await bench.pass(500);
      assert.deepEqual(bench.terminal.keys, ['y']);
    });

    it('gives up on a store that stays unreadable', async () => {
      bench.chats.change('one', { problem: 'It is damaged.' });
      bench.answer(approve);
      await bench.pass(11_000);
      assert.deepEqual(bench.terminal.keys, []);
      assert.match(failure().why, /It is damaged\..*Nothing was typed/);
    });

    it('notices that everything runs now', async () => {
      bench.terminal.afterLook = () => {
        bench.chats.change('one', {
          session: { state: 'alive', processes: [fakeProcess(100, { argv: ['cursor-agent', '-f'] })] },
        });
      };
      bench.answer(approve);
      await bench.pass(1000);
      assert.deepEqual(bench.terminal.keys, []);
      assert.deepEqual(bench.requests, []);
    });

    it('notices that the process is another one, or gone', async () => {
      bench.terminal.afterLook = () =>
        bench.chats.change('one', { session: { state: 'alive', processes: [fakeProcess(300)] } });
      bench.answer(approve);
      await bench.pass(1000);
      assert.deepEqual(bench.terminal.keys, []);
      assert.equal(failure().retry, 'no');
      bench.chats.change('one', { session: { state: 'dead' } });
      assert.deepEqual(bench.ends, ['notDelivered']);
    });

    it('waits while nobody can tell whether the process still has that terminal', async () => {
      bench.terminal.afterLook = () => bench.chats.change('one', { session: { state: 'unknown', why: 'hidden' } });
      bench.answer(approve);
      await bench.pass(12_000);
      assert.deepEqual(bench.terminal.keys, []);
    });

    it('notices that the prompt has just been answered in the terminal', async () => {
      bench.terminal.afterLook = () => {
        bench.terminal.afterLook = undefined;
        bench.terminal.show({ kind: 'idle' });
      };
      bench.answer(approve);
      await bench.pass(20);
      // The key that was decided on by that look; nothing afterwards.
      await bench.pass(5000);
      assert.ok(bench.terminal.received.every(({ on }) => on === 'idle'));
      assert.ok(bench.terminal.received.length <= 1);
    });

    it('notices another prompt in its place', async () => {
      bench.terminal.show({ kind: 'menu', command: 'rm -rf build' });
      bench.answer(approve);
      await bench.pass(12_000);
      assert.deepEqual(bench.terminal.keys, []);
    });

    it('does not type into what the person writes', async () => {
      bench.terminal.show({ kind: 'draft', text: 'what about' });
      bench.answer(approve);
      await bench.pass(12_000);
      assert.deepEqual(bench.terminal.keys, []);
    });

    it('waits while the terminal holds keys back, then gives up', async () => {
      bench.answer(approve);
      bench.terminal.trouble = { state: 'held', rows: ['a', ' ', 'b'], why: 'The pane is in copy mode.' };
      await bench.pass(9000);
      assert.deepEqual(bench.delivery, { state: 'sending' });
      await bench.pass(2000);
      assert.deepEqual(bench.terminal.keys, []);
      assert.match(failure().why, /copy mode\. Nothing was typed/);
      assert.deepEqual(failure().screen, ['a', 'b']);
    });

    it('notices a closed pane', async () => {
      bench.answer(approve);
      bench.terminal.trouble = { state: 'gone', why: 'The pane is closed.' };
      await bench.pass(1000);
      assert.match(failure().why, /The pane is closed\. Nothing was typed/);
      assert.equal(failure().retry, 'no');
      bench.chats.change('one', { session: { state: 'dead' } });
      assert.deepEqual(bench.ends, ['notDelivered']);
    });
  });

  describe('a key that does nothing', () => {
    it('is said, and the answer may be given again while the prompt is shown', async () => {
      bench.terminal.drops = 1;
      bench.answer(approve);
      await bench.pass(4000);
      assert.deepEqual(bench.terminal.keys, ['y']);
      assert.match(failure().why, /still on the screen.*Some keys were sent/);
      assert.equal(failure().retry, 'again');
      assert.ok(failure().screen.some((row) => row.includes('Run this command?')));
      assert.deepEqual(bench.answer(approve), { taken: true });
      await bench.pass(1000);
      assert.deepEqual(bench.terminal.keys, ['y', 'y']);
      assert.equal(bench.delivery?.state, 'accepted');
    });

    it('ends the matter when the person answers in the terminal instead', async () => {
      bench.terminal.drops = 1;
      bench.answer(approve);
      await bench.pass(9000);
      assert.equal(failure().retry, 'again');
      bench.terminal.type({ key: 'Escape' });
      bench.terminal.type({ key: 'Enter' });
      await bench.pass(1000);
      assert.deepEqual(bench.requests, []);
      assert.deepEqual(bench.ends, ['answeredElsewhere']);
    });

    it('counts as ours when it was only slow', async () => {
      bench.terminal.lagMs = 2600;
      bench.answer(approve);
      await bench.pass(2400);
      assert.equal(failure().retry, 'again');
      bench.chats.pend('one', []);
      assert.deepEqual(bench.ends, ['confirmed']);
    });

    it('never makes for two Escapes: a reason box is finished where it is', async () => {
      bench.terminal.drops = 0;
      bench.answer(reject);
      await bench.pass(300);
      assert.deepEqual(bench.terminal.keys, ['Escape']);
      // Enter is dropped, and so the box stays.
      bench.terminal.drops = 1;
      await bench.pass(4000);
      assert.deepEqual(bench.terminal.keys, ['Escape', 'Enter']);
      assert.equal(failure().retry, 'again');
      assert.deepEqual(bench.answer(explained), { taken: true });
      await bench.pass(4000);
      assert.deepEqual(bench.terminal.keys, ['Escape', 'Enter', '"not on a Friday"', 'Enter']);
      assert.deepEqual(bench.terminal.done, [{ what: 'make deploy', how: 'rejected', reason: 'not on a Friday' }]);
    });

    it('may be pressed again when the menu is shown again', async () => {
      bench.terminal.drops = 1;
      bench.answer(reject);
      await bench.pass(4000);
      assert.equal(failure().retry, 'again');
      bench.answer(reject);
      await bench.pass(4000);
      assert.deepEqual(typed(), ['Escape on menu', 'Escape on menu', 'Enter on reason']);
    });

    it('does not make an approval of a rejection that hangs', async () => {
      bench.answer(reject);
      await bench.pass(300);
      bench.terminal.drops = 5;
      await bench.pass(5000);
      bench.answer(approve);
      await bench.pass(12_000);
      assert.ok(!bench.terminal.keys.includes('y'));
    });
  });

  describe('a prompt that is not recognised', () => {
    beforeEach(async () => {
      bench.terminal.show({ kind: 'unknown' });
      await bench.pass(500);
      assert.deepEqual(bench.ends, ['answeredElsewhere']);
      await bench.pass(10_000);
      assert.equal(bench.only.certainty, 'waiting');
    });

    it('gets keys only after the person has seen the screen', async () => {
      assert.equal(refusal(bench.answer(approve, bench.only, true)), 'notAnswerable');
      assert.deepEqual(bench.answer(approve), { taken: true });
      await bench.pass(11_000);
      assert.deepEqual(bench.terminal.keys, []);
      assert.equal(failure().retry, 'anyway');
      assert.deepEqual(failure().screen, ['  Execute make deploy now', '  [y]es / [n]o / [esc]']);
      assert.equal(refusal(bench.answer(approve)), 'notAnswerable');
      assert.deepEqual(bench.answer(approve, bench.only, true), { taken: true });
      await bench.pass(1500);
      assert.deepEqual(bench.terminal.keys, ['y']);
      assert.equal(bench.delivery?.state, 'running');
    });

    it('gets none when it is something else by then', async () => {
      bench.answer(approve);
      await bench.pass(11_000);
      bench.terminal.show({ kind: 'draft', text: 'hello' });
      bench.answer(approve, bench.only, true);
      await bench.pass(1000);
      assert.deepEqual(bench.terminal.keys, []);
      assert.deepEqual(bench.requests, []);
    });

    it('gets none when it is another one by then, until the person has seen that', async () => {
      bench.answer(approve);
      await bench.pass(11_000);
      bench.terminal.show({ kind: 'unknown', what: 'rm -rf site' });
      bench.answer(approve, bench.only, true);
      await bench.pass(3000);
      assert.deepEqual(bench.terminal.keys, []);
      assert.equal(failure().retry, 'anyway');
      assert.equal(failure().screen[0], '  Execute rm -rf site now');
    });

    it('gets one Escape for a rejection, and never a second one', async () => {
      bench.answer(reject);
      await bench.pass(11_000);
      bench.answer(reject, bench.only, true);
      await bench.pass(8000);
      assert.deepEqual(bench.terminal.keys, ['Escape']);
      if (failure().retry === 'anyway') bench.answer(reject, bench.only, true);
      await bench.pass(8000);
      assert.deepEqual(bench.terminal.keys, ['Escape']);
    });
  });

  it('does not wait for a clock that is set back', async () => {
    bench.clock.setBack(3_600_000);
    await bench.pass(1000);
    bench.answer(reject);
    await bench.pass(100);
    bench.clock.setBack(3_600_000);
    await bench.pass(5000);
    assert.deepEqual(bench.terminal.keys, ['Escape', 'Enter']);
    assert.equal(bench.delivery?.state, 'running');
  });

  it('of two windows that answer at once types once', async () => {
    const other = bench.openWindow();
    await bench.pass(500);
    const [request] = other.requests();
    assert.ok(request);
    bench.answer(approve);
    bench.answer(approve, request, false, other);
    await bench.pass(5000);
    assert.deepEqual(bench.terminal.keys, ['y']);
    assert.deepEqual(other.requests(), []);
    other.dispose();
  });

  it('types nothing once it is disposed', async () => {
    bench.answer(approve);
    bench.approvals.dispose();
    await bench.pass(5000);
    assert.deepEqual(bench.terminal.keys, []);
    assert.equal(bench.clock.pending, 0);
  });
});
