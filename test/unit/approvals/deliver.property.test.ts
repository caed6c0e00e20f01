import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PendingCall } from '../../../src/cursor/store/pending.ts';
import type { Look } from '../../../src/keys/target.ts';
import type { Answer } from '../../../src/protocol/request.ts';
import { fakeBatch, fakeCall, fakeChat } from '../../support/fakes/chats.ts';
import { ApprovalsBench } from './bench.ts';

const commands = ['make deploy', 'make clean', 'npm publish'];
const answers: Answer[] = [
  { kind: 'approve' },
  { kind: 'reject', reason: '' },
  { kind: 'reject', reason: 'not now' },
  { kind: 'skip' },
];
const troubles: (Exclude<Look, { state: 'ready' }> | undefined)[] = [
  { state: 'held', rows: ['scrolled'], why: 'copy mode' },
  { state: 'unreadable', why: 'no answer' },
  undefined,
];

const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 10, max: 4000 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      request: fc.nat({ max: 2 }),
      answer: fc.constantFrom(...answers),
      anyway: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('person' as const), key: fc.constantFrom('y', 'Escape', 'Enter') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), count: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lag' as const), ms: fc.nat({ max: 1500 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('trouble' as const), trouble: fc.constantFrom(...troubles) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('problem' as const), is: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('store' as const), without: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reason' as const), asks: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('show' as const), what: fc.constantFrom('unknown', 'idle', 'busy') }),
  },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** An answer that was taken on. */
interface Taken {
  command: string;
  answer: Answer;
  anyway: boolean;
  id: string;
}

class Run {
  readonly bench = new ApprovalsBench();
  readonly taken: Taken[] = [];
  #pending: PendingCall[] = fakeBatch(...commands.map((command) => fakeCall(command)));
  #checked = 0;

  async play(happenings: readonly Happening[]): Promise<void> {
    const { bench } = this;
    bench.chats.set(fakeChat('one'));
    bench.chats.pend('one', this.#pending);
    bench.terminal.ask(...commands);
    await bench.pass(200);
    for (const each of happenings) {
      await this.#happen(each);
      this.#check();
    }
  }

  /** Lets everything come to rest. */
  async end(): Promise<void> {
    const { bench, taken } = this;
    bench.terminal.trouble = undefined;
    bench.chats.change('one', { problem: undefined });
    await bench.pass(40_000);
    this.#check();
    assert.ok(bench.requests.every(({ delivery }) => delivery?.state !== 'sending'));
    bench.chats.pend('one', []);
    await bench.pass(100);
    assert.deepEqual(bench.requests, []);
    for (const { id } of taken)
      assert.ok(
        bench.ended.some((record) => record.id === id),
        'it has an end',
      );
    bench.approvals.dispose();
    assert.equal(bench.clock.pending, 0);
  }

  async #happen(each: Happening): Promise<void> {
    const { bench } = this;
    switch (each.kind) {
      case 'pass':
        await bench.pass(each.ms);
        return;
      case 'answer': {
        const request = bench.requests[each.request];
        if (request?.kind !== 'permission' || request.subject.kind !== 'command') return;
        const { answer, anyway } = each;
        const receipt = bench.answer(answer, request, anyway);
        if (receipt.taken) this.taken.push({ command: request.subject.command, answer, anyway, id: request.id });
        return;
      }
      case 'person':
        // What they type waits while an answer is being typed.
        if (!bench.terminal.isHeld) bench.terminal.type({ key: each.key as 'y' });
        return;
      case 'drop':
        bench.terminal.drops = each.count;
        return;
      case 'lag':
        bench.terminal.lagMs = each.ms;
        return;
      case 'trouble':
        bench.terminal.trouble = each.trouble;
        return;
      case 'problem':
        bench.chats.change('one', { problem: each.is ? 'being written' : undefined });
        return;
      case 'store':
        this.#pending = this.#pending.filter((_, index) => index !== each.without);
        bench.chats.pend('one', this.#pending);
        return;
      case 'reason':
        bench.terminal.asksReason = each.asks;
        return;
      case 'show':
        if (!bench.terminal.isHeld) bench.terminal.show({ kind: each.what as 'idle' });
        return;
    }
  }

  /** What must hold for every key. */
  #check(): void {
    const { received } = this.bench.terminal;
    for (const { input, seen } of received.slice(this.#checked)) {
      const where = `${input} on ${JSON.stringify(seen)}`;
      assert.ok(seen, `a look before ${input}`);
      const blind = seen.kind === 'unknown';
      if (blind) {
        assert.ok(
          this.taken.some(({ anyway }) => anyway),
          where,
        );
        assert.ok(input === 'y' || input === 'Escape', where);
      } else if (input === 'y') {
        assert.ok(seen.kind === 'menu' && this.#wants(seen.command, 'approve'), where);
      } else if (input === 'Escape') {
        assert.ok(seen.kind === 'menu' && this.#wants(seen.command, 'reject'), where);
      } else {
        assert.ok(seen.kind === 'reason' && this.#wants(seen.command, 'reject'), where);
      }
    }
    this.#checked = received.length;
    const approvals = received.filter(({ input }) => input === 'y').length;
    assert.ok(
      approvals <= this.taken.filter(({ answer }) => answer.kind === 'approve').length,
      'one y for an approval',
    );
    const rejections = received.filter(({ input }) => input === 'Escape').length;
    assert.ok(
      rejections <= this.taken.filter(({ answer }) => answer.kind === 'reject').length,
      'one Escape for a rejection',
    );
  }

  #wants(command: string, kind: Answer['kind']): boolean {
    return this.taken.some((each) => each.command === command && each.answer.kind === kind);
  }
}

describe('delivering, whatever happens', () => {
  it('types nothing but what was answered, where it belongs, and every answer has an end', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 25 }), async (happenings) => {
        const run = new Run();
        await run.play(happenings);
        await run.end();
      }),
      { numRuns: 60 },
    );
  });
});
