import assert from 'node:assert/strict';
import { fakeBatch, fakeCall, fakeChat, fakeForm, fakeProcess, readChat } from '../../support/fakes/chats.ts';
import { FakeTerminal } from '../../support/fakes/terminal.ts';
import { approve, ApprovalsBench, refusal, reject } from './bench.ts';

const deploy = fakeCall('make deploy');
const [one, two, three] = ['echo one', 'echo two', 'echo three'].map((command) => fakeCall(command));
const batch = fakeBatch(...[one, two, three].filter((call) => call !== undefined));

describe('requests of cursor-agent', () => {
  let bench: ApprovalsBench;

  beforeEach(() => {
    bench = new ApprovalsBench();
    bench.chats.set(fakeChat('one'));
  });

  afterEach(() => {
    bench.approvals.dispose();
    assert.equal(bench.clock.pending, 0, 'nothing is left');
  });

  async function ask(): Promise<void> {
    bench.chats.pend('one', [deploy]);
    bench.terminal.ask('make deploy');
    await bench.pass(200);
  }

  describe('their life', () => {
    it('appear, are answered, are accepted, run, and are confirmed', async () => {
      bench.chats.pend('one', [deploy]);
      await bench.pass(2000);
      assert.deepEqual(bench.requests, []);
      bench.terminal.ask('make deploy');
      await bench.pass(200);
      assert.equal(bench.only.certainty, 'waiting');
      assert.deepEqual(bench.only.answerable, { state: 'yes' });
      assert.deepEqual(bench.only.actions, ['showTerminal']);
      assert.deepEqual(bench.answer(approve), { taken: true });
      assert.deepEqual(bench.delivery, { state: 'sending' });
      const answeredAtMs = bench.clock.now();
      await bench.pass(500);
      assert.deepEqual(bench.terminal.keys, ['y']);
      assert.deepEqual(bench.delivery, { state: 'accepted' });
      const acceptedAtMs = bench.clock.now();
      await bench.pass(1500);
      assert.deepEqual(bench.delivery, { state: 'running' });
      bench.chats.pend('one', []);
      assert.deepEqual(bench.requests, []);
      const { id, atMs, ...record } = bench.ended[0] ?? { id: '', atMs: 0 };
      assert.match(id, /^[0-9a-f]{32}$/);
      // When it was answered, not when the call was over.
      assert.ok(atMs > answeredAtMs && atMs <= acceptedAtMs);
      assert.deepEqual(record, {
        what: 'make deploy',
        session: 'Title of one',
        answer: 'approve',
        end: 'confirmed',
      });
      assert.equal(bench.ended.length, 1);
    });

    it('leave within a second of their prompt, unless a single look missed it', async () => {
      await ask();
      await bench.pass(10_000);
      bench.terminal.show({ kind: 'unknown' });
      const { looks } = bench.terminal;
      while (bench.terminal.looks === looks) await bench.pass(10);
      bench.terminal.show({ kind: 'menu', command: 'make deploy' });
      await bench.pass(1000);
      assert.equal(bench.only.certainty, 'waiting');
      bench.terminal.type({ key: 'y' });
      await bench.pass(1000);
      assert.deepEqual(bench.requests, []);
      assert.deepEqual(bench.ends, ['answeredElsewhere']);
      assert.equal(bench.ended[0]?.answer, undefined);
      bench.chats.pend('one', []);
      await bench.pass(1000);
      assert.deepEqual(bench.ends, ['answeredElsewhere']);
    });

    it('leave at once when the store moves on', async () => {
      await ask();
      bench.chats.pend('one', []);
      assert.deepEqual(bench.requests, []);
      assert.deepEqual(bench.ends, ['answeredElsewhere']);
    });

    it('end with their session', async () => {
      await ask();
      bench.chats.change('one', { session: { state: 'dead' } });
      assert.deepEqual(bench.requests, []);
      await ask();
      bench.chats.change('one', { session: { state: 'alive', processes: [fakeProcess()] } });
      await bench.pass(500);
      bench.chats.remove('one');
      assert.deepEqual(bench.ends, ['sessionEnded', 'sessionEnded']);
    });

    it('stay while their store cannot be read', async () => {
      await ask();
      bench.chats.change('one', { problem: 'It is being written.' });
      await bench.pass(60_000);
      assert.equal(bench.only.certainty, 'waiting');
      assert.equal(bench.problems.length, 1);
      assert.match(bench.problems[0] ?? '', /It is being written/);
    });

    it('come back under the same id, and settle anew', async () => {
      bench.locator.terminals.clear();
      bench.chats.pend('one', [deploy]);
      await bench.pass(600);
      const { id } = bench.only;
      bench.chats.pend('one', []);
      assert.deepEqual(bench.requests, []);
      bench.chats.pend('one', [deploy]);
      await bench.pass(400);
      assert.deepEqual(bench.requests, []);
      await bench.pass(200);
      assert.equal(bench.only.id, id);
      assert.deepEqual(bench.ends, []);
    });

    it('ask again when the same call asks again', async () => {
      await ask();
      bench.answer(approve);
      await bench.pass(1000);
      bench.terminal.ask('make deploy');
      await bench.pass(500);
      assert.equal(bench.delivery, undefined);
      assert.deepEqual(bench.ends, ['accepted']);
      assert.deepEqual(bench.answer(approve), { taken: true });
      await bench.pass(500);
      assert.deepEqual(
        bench.terminal.done.map(({ how }) => how),
        ['approved', 'approved'],
      );
    });

    it('do not exist where everything runs, and vanish when that is switched on', async () => {
      await ask();
      const runMode = { runEverything: true, saidBy: 'store', approvalMode: 'allowlist' } as const;
      bench.chats.change('one', { state: readChat({ pending: [deploy], runMode }) });
      assert.deepEqual(bench.requests, []);
      await bench.pass(20_000);
      assert.deepEqual(bench.requests, []);
    });

    it('do not exist for a process that was told to run everything', async () => {
      const processes = [fakeProcess(100, { argv: ['cursor-agent', '--yolo'] })] as const;
      bench.chats.change('one', { session: { state: 'alive', processes } });
      await ask();
      await bench.pass(20_000);
      assert.deepEqual(bench.requests, []);
      assert.equal(bench.terminal.looks, 0);
    });
  });

  describe('whose screen cannot be read', () => {
    beforeEach(() => bench.locator.terminals.clear());

    it('may be waiting, then wait once no child has been alive for 10 s', async () => {
      bench.chats.pend('one', [deploy]);
      await bench.pass(600);
      assert.equal(bench.only.certainty, 'mayBeWaiting');
      assert.deepEqual(bench.only.answerable, { state: 'no', why: 'It runs elsewhere.' });
      assert.deepEqual(bench.only.actions, ['showTerminal', 'reopen']);
      assert.equal(refusal(bench.answer(approve)), 'notAnswerable');
      await bench.pass(9500);
      assert.equal(bench.only.certainty, 'waiting');
      assert.ok(bench.chats.looked.length >= 4);
      bench.chats.pend('one', []);
      assert.deepEqual(bench.ends, ['answeredElsewhere']);
    });

    it('go quietly when they were not known to wait', async () => {
      bench.chats.pend('one', [deploy]);
      await bench.pass(5000);
      bench.chats.pend('one', []);
      assert.deepEqual(bench.requests, []);
      assert.deepEqual(bench.ends, []);
    });

    it('do not wait while a child is alive that came with them', async () => {
      const session = (...children: number[]) =>
        ({ state: 'alive', processes: [fakeProcess(100, { children })] }) as const;
      bench.chats.change('one', { session: session(7) });
      bench.chats.pend('one', [deploy]);
      bench.chats.change('one', { session: session(7, 8) });
      await bench.pass(20_000);
      assert.equal(bench.only.certainty, 'mayBeWaiting');
      bench.chats.change('one', { session: session(7) });
      await bench.pass(10_100);
      assert.equal(bench.only.certainty, 'waiting');
    });

    it('are none for calls that ask nobody, and for what the rules allow', async () => {
      bench.chats.change('one', { permissions: { allow: ['Shell(make)'], deny: [] } });
      bench.chats.pend('one', [deploy, fakeCall('read', { toolName: 'Read', args: { path: 'a' } })]);
      await bench.pass(20_000);
      assert.deepEqual(bench.requests, []);
    });

    it('are none where the session is dead, and may be where it is not known', async () => {
      bench.chats.change('one', { session: { state: 'unknown', why: 'hidden' } });
      bench.chats.pend('one', [deploy]);
      await bench.pass(600);
      assert.equal(bench.only.certainty, 'mayBeWaiting');
      assert.deepEqual(bench.only.actions, []);
      bench.chats.change('one', { session: { state: 'dead' } });
      assert.deepEqual(bench.requests, []);
    });
  });

  describe('and terminals', () => {
    it('are not looked at, nor located, while nothing is pending', async () => {
      await bench.pass(60_000);
      assert.equal(bench.terminal.looks, 0);
      assert.deepEqual(bench.locator.located, []);
      await ask();
      bench.chats.pend('one', []);
      const { looks } = bench.terminal;
      await bench.pass(60_000);
      assert.equal(bench.terminal.looks, looks);
      assert.equal(bench.clock.pending, 0);
      assert.deepEqual(bench.locator.located, [100]);
    });

    it('are looked at every 150 ms at first, then every 500 ms', async () => {
      bench.chats.pend('one', [deploy]);
      await bench.pass(3000);
      assert.ok(bench.terminal.looks >= 18 && bench.terminal.looks <= 22, String(bench.terminal.looks));
      bench.terminal.ask('make deploy');
      await bench.pass(7000);
      const { looks } = bench.terminal;
      await bench.pass(10_000);
      assert.ok(Math.abs(bench.terminal.looks - looks - 20) <= 2, String(bench.terminal.looks - looks));
    });

    it('are located again when another process holds the chat', async () => {
      await ask();
      const terminal = new FakeTerminal(bench.clock, 'tmux %2');
      bench.locator.terminals.set(200, terminal);
      bench.chats.change('one', { session: { state: 'alive', processes: [fakeProcess(200)] } });
      terminal.ask('make deploy');
      await bench.pass(500);
      assert.equal(bench.only.session.terminal, 'tmux %2');
      assert.deepEqual(bench.locator.located, [100, 200]);
    });

    it('of two sessions in one folder never mix', async () => {
      const terminal = new FakeTerminal(bench.clock, 'tmux %2');
      bench.locator.terminals.set(200, terminal);
      bench.chats.set(fakeChat('two', { session: { state: 'alive', processes: [fakeProcess(200)] } }));
      bench.chats.pend('one', [deploy]);
      bench.chats.pend('two', [deploy]);
      terminal.ask('make deploy');
      await bench.pass(500);
      assert.equal(bench.only.session.id, 'two');
      bench.answer(approve);
      await bench.pass(500);
      assert.deepEqual([bench.terminal.keys, terminal.keys], [[], ['y']]);
    });

    it('of two processes that hold one chat: the one that shows the prompt is answered', async () => {
      const terminal = new FakeTerminal(bench.clock, 'tmux %2');
      bench.locator.terminals.set(200, terminal);
      bench.chats.change('one', { session: { state: 'alive', processes: [fakeProcess(100), fakeProcess(200)] } });
      bench.chats.pend('one', [deploy]);
      terminal.ask('make deploy');
      await bench.pass(500);
      assert.equal(bench.only.session.terminal, 'tmux %2');
      bench.terminal.ask('make deploy');
      await bench.pass(600);
      assert.equal(bench.only.answerable.state, 'no');
      bench.terminal.show({ kind: 'idle' });
      await bench.pass(1000);
      bench.answer(approve);
      await bench.pass(500);
      assert.deepEqual([bench.terminal.keys, terminal.keys], [[], ['y']]);
    });

    it('of a process that holds two chats, as after /clear, serve both', async () => {
      bench.chats.set(fakeChat('two'));
      bench.chats.pend('one', [deploy]);
      bench.chats.pend('two', [fakeCall('make clean')]);
      bench.terminal.ask('make clean');
      await bench.pass(1000);
      assert.equal(bench.only.session.id, 'two');
      assert.deepEqual(bench.locator.located, [100]);
    });

    it('that hold back keys keep the card and say why', async () => {
      await ask();
      bench.terminal.trouble = { state: 'held', rows: ['scrolled'], why: 'The pane is in copy mode.' };
      await bench.pass(5000);
      assert.deepEqual(bench.only.answerable, { state: 'no', why: 'The pane is in copy mode.' });
      assert.equal(refusal(bench.answer(approve)), 'notAnswerable');
      bench.terminal.trouble = undefined;
      await bench.pass(1000);
      assert.deepEqual(bench.only.answerable, { state: 'yes' });
    });

    it('that cannot be asked, or are gone, keep it too', async () => {
      await ask();
      bench.terminal.trouble = { state: 'unreadable', why: 'tmux does not answer.' };
      await bench.pass(60_000);
      assert.deepEqual(bench.only.answerable, { state: 'no', why: 'tmux does not answer.' });
      assert.equal(bench.only.certainty, 'waiting');
      bench.terminal.trouble = { state: 'gone', why: 'The pane is closed.' };
      await bench.pass(1000);
      assert.deepEqual(bench.only.answerable, { state: 'no', why: 'The pane is closed.' });
      assert.equal(bench.only.certainty, 'waiting');
      assert.deepEqual(bench.chats.looked.slice(0, 1), ['/chats/one']);
      bench.chats.change('one', { session: { state: 'dead' } });
      assert.deepEqual(bench.ends, ['sessionEnded']);
    });
  });

  describe('of a batch', () => {
    beforeEach(async () => {
      bench.chats.pend('one', batch);
      bench.terminal.ask('echo one', 'echo two', 'echo three');
      await bench.pass(200);
    });

    it('are a group in order, of which the first is to be answered', () => {
      assert.deepEqual(
        bench.requests.map(({ batch: place, answerable }) => [place?.place, place?.size, answerable.state]),
        [
          [1, 3, 'yes'],
          [2, 3, 'later'],
          [3, 3, 'later'],
        ],
      );
      const [, second] = bench.requests;
      assert.ok(second);
      assert.equal(refusal(bench.answer(approve, second)), 'notAnswerable');
    });

    it('may be answered one right after the other, each at its own prompt', async () => {
      const answers = [approve, reject, approve];
      const requests = bench.requests;
      for (const [index, request] of requests.entries()) {
        assert.deepEqual(bench.answer(answers[index] ?? approve, request), { taken: true });
      }
      await bench.pass(5000);
      assert.deepEqual(
        bench.terminal.done.map(({ what, how }) => [what, how]),
        [
          ['echo one', 'approved'],
          ['echo two', 'rejected'],
          ['echo three', 'approved'],
        ],
      );
      assert.deepEqual(
        bench.requests.map(({ delivery }) => delivery?.state),
        ['running', 'running', 'running'],
      );
      bench.chats.pend('one', []);
      assert.deepEqual(bench.ends, ['confirmed', 'confirmed', 'confirmed']);
    });

    it('keep their cards while the prompt of the next one is painted', async () => {
      bench.terminal.show({ kind: 'busy' });
      await bench.pass(3000);
      assert.deepEqual(
        bench.requests.map(({ answerable }) => answerable.state),
        ['yes', 'later'],
      );
      await bench.pass(5000);
      assert.deepEqual(bench.requests, []);
      assert.deepEqual(bench.ends, ['answeredElsewhere']);
    });

    it('say nothing of calls that ask nobody', async () => {
      const read = fakeCall('read', { toolName: 'Read', args: { path: 'a' } });
      bench.chats.pend('one', fakeBatch(...batch.slice(0, 1), read));
      await bench.pass(500);
      assert.equal(bench.requests.length, 1);
    });
  });

  describe('what they tell', () => {
    it('puts the requests of sub-agents under their parent', async () => {
      const subagentInfo = { parentAgentId: 'between', rootParentAgentId: 'agent-1', typeName: 'explore' };
      const meta = { latestRootBlobId: undefined };
      bench.chats.change('one', { state: readChat({ meta: { ...meta, agentId: 'agent-1' } }) });
      bench.chats.set(
        fakeChat('sub', {
          info: { title: 'Sub' },
          state: readChat({ meta: { ...meta, subagentInfo }, pending: [deploy] }),
        }),
      );
      bench.terminal.ask('make deploy');
      await bench.pass(500);
      const { session, id } = bench.only;
      assert.deepEqual(
        [session.id, session.title, session.subagent, session.cwd],
        ['one', 'Title of one', 'explore', '/work'],
      );
      assert.deepEqual(bench.approvals.sessionOf(id), {
        chatId: 'one',
        cwd: '/work',
        place: { kind: 'tmux', socket: '/tmp/s', pane: 'tmux %1' },
        pids: [100],
      });
      assert.equal(bench.approvals.sessionOf('other'), undefined);
    });

    it('refuses what looks the same as another one, and what cannot be shown whole', async () => {
      const twin = fakeCall('twin', { args: { command: 'make deploy' } });
      bench.chats.pend('one', [deploy, twin]);
      bench.terminal.ask('make deploy');
      await bench.pass(500);
      assert.deepEqual(
        bench.requests.map(({ answerable }) => answerable.state),
        ['no', 'no'],
      );
      bench.chats.pend('one', [{ ...deploy, cut: true }]);
      await bench.pass(500);
      assert.equal(bench.only.answerable.state, 'no');
      assert.deepEqual(bench.terminal.keys, []);
    });

    it('says problems once', async () => {
      const state = readChat({ certainty: 'unknownLayout', why: 'Calls lie elsewhere.' });
      bench.chats.change('one', { state });
      bench.chats.change('one', { state: { ...state } });
      bench.chats.limitation = 'There are no more watches.';
      bench.chats.change('one', {});
      await bench.pass(1000);
      assert.equal(bench.problems.length, 2);
    });

    it('fires when something is different, and only then', async () => {
      await ask();
      const { changes } = bench;
      await bench.pass(5000);
      assert.equal(bench.changes, changes);
    });

    it('shows questions, and takes only answers that fit', async () => {
      bench.chats.pend('one', [fakeForm('ask', [{ prompt: 'Which?', options: ['a', 'b'], allowMultiple: false }])]);
      bench.terminal.askForm([{ prompt: 'Which?', options: ['a', 'b'], allowMultiple: false }]);
      await bench.pass(500);
      const request = bench.only;
      assert.ok(request.kind === 'question');
      assert.equal(request.title, 'Before I go on');
      assert.deepEqual(request.questions, [{ prompt: 'Which?', options: ['a', 'b'], allowsMultiple: false }]);
      assert.equal(refusal(bench.answer(approve)), 'notAnswerable');
    });
  });
});
