import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/event.ts';
import type { AnswerRecord, PendingRequest } from '../../../src/protocol/request.ts';
import { type AnswerLog, createBroker, type RequestBroker } from '../../../src/requests/broker.ts';
import type { AnswerReceipt, GivenAnswer, RequestSource } from '../../../src/requests/source.ts';
import { FakeClock } from '../../support/fakes/clock.ts';

const day = 24 * 60 * 60 * 1000;

class FakeSource implements RequestSource {
  readonly changes = new Emitter<void>();
  readonly ends = new Emitter<AnswerRecord>();
  readonly given: GivenAnswer[] = [];
  list: PendingRequest[] = [];
  readonly onDidChange = this.changes.event;
  readonly onDidEnd = this.ends.event;

  requests(): readonly PendingRequest[] {
    return this.list;
  }

  answer(given: GivenAnswer): AnswerReceipt {
    this.given.push(given);
    return { taken: true };
  }

  show(...list: PendingRequest[]): void {
    this.list = list;
    this.changes.fire();
  }
}

class FakeLog implements AnswerLog {
  readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  records: AnswerRecord[] = [];
  fails = false;

  append(record: AnswerRecord): Promise<void> {
    if (this.fails) return Promise.reject(new Error('disk'));
    this.records.push(record);
    this.changes.fire();
    return Promise.resolve();
  }

  read(): Promise<AnswerRecord[]> {
    return this.fails ? Promise.reject(new Error('disk')) : Promise.resolve([...this.records]);
  }
}

function request(id: string, session: string, sinceMs = 0): PendingRequest {
  return {
    ...{ id, hash: `hash of ${id}`, kind: 'permission', certainty: 'waiting', sinceMs, batch: undefined, fields: [] },
    session: {
      id: session,
      cwd: '/work',
      title: session,
      subagent: undefined,
      terminal: undefined,
      version: undefined,
    },
    ...{ answerable: { state: 'yes' }, actions: [], delivery: undefined },
    subject: { kind: 'command', command: id, folder: undefined },
  };
}

describe('the broker', () => {
  const clock = new FakeClock();
  let sources: [FakeSource, FakeSource];
  let answerLog: FakeLog;
  let broker: RequestBroker;
  let changes: number;

  beforeEach(() => {
    sources = [new FakeSource(), new FakeSource()];
    answerLog = new FakeLog();
    changes = 0;
    broker = createBroker({ sources, clock, answerLog });
    broker.onDidChange(() => (changes += 1));
  });

  afterEach(() => broker.dispose());

  function ids(): string[] {
    return broker.requests().map(({ id }) => id);
  }

  function record(id: string, given: Partial<AnswerRecord> = {}): AnswerRecord {
    return { id, atMs: clock.now(), what: id, session: 's', end: 'answeredElsewhere', ...given };
  }

  it('names each request once, sessions in the order in which they began to wait', () => {
    sources[0].show(request('a', 'late', 20), request('b', 'early', 10), request('c', 'late', 5));
    sources[1].show(request('d', 'early', 30), request('a', 'late', 20));
    assert.deepEqual(ids(), ['a', 'c', 'b', 'd']);
    sources[0].show(request('b', 'early', 10), request('a', 'late', 20));
    assert.deepEqual(ids(), ['a', 'b', 'd']);
    sources[1].show();
    sources[0].show(request('b', 'early', 10));
    assert.deepEqual(ids(), ['b']);
    sources[0].show(request('b', 'early', 10), request('a', 'late', 5));
    assert.deepEqual(ids(), ['b', 'a']);
    assert.ok(changes >= 5);
  });

  it('gives an answer to the source of its request, and to none when there is no such request', () => {
    sources[1].show(request('d', 'one'));
    const given: GivenAnswer = { id: 'd', hash: 'h', answer: { kind: 'approve' }, anyway: false };
    assert.deepEqual(broker.answer(given), { taken: true });
    assert.deepEqual([sources[0].given, sources[1].given], [[], [given]]);
    const receipt = broker.answer({ ...given, id: 'other' });
    assert.equal(receipt.taken ? undefined : receipt.reason, 'unknownRequest');
  });

  it('keeps what has ended, newest first, at once and in the log', async () => {
    sources[0].ends.fire(record('a', { atMs: clock.now() - 2 }));
    sources[1].ends.fire(record('b', { atMs: clock.now() - 1 }));
    assert.deepEqual(
      broker.history().map(({ id }) => id),
      ['b', 'a'],
    );
    await Promise.resolve();
    assert.deepEqual(
      answerLog.records.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.equal(broker.history().length, 2);
  });

  it('forgets after 7 days', async () => {
    answerLog.records = [
      record('old', { atMs: clock.now() - 7 * day }),
      record('new', { atMs: clock.now() - 7 * day + 1 }),
    ];
    answerLog.changes.fire();
    await new Promise(setImmediate);
    assert.deepEqual(
      broker.history().map(({ id }) => id),
      ['new'],
    );
    clock.advance(1);
    assert.deepEqual(broker.history(), []);
  });

  it('takes the word of the window that answered', async () => {
    const ours = record('a', { atMs: clock.now() - 50, answer: 'approve', end: 'confirmed' });
    answerLog.records = [record('a'), ours, record('a', { atMs: clock.now() - 100 }), record('b'), record('b')];
    answerLog.changes.fire();
    await new Promise(setImmediate);
    assert.deepEqual(broker.history(), [record('b'), ours]);
  });

  it('goes on without a log that fails', async () => {
    answerLog.fails = true;
    sources[0].ends.fire(record('a'));
    answerLog.changes.fire();
    await new Promise(setImmediate);
    assert.deepEqual(broker.history(), [record('a')]);
  });

  it('lets go of its sources', () => {
    broker.dispose();
    const before = changes;
    sources[0].show(request('a', 'one'));
    assert.equal(changes, before);
  });
});
