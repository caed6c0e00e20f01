import assert from 'node:assert/strict';
import { decisions, keysOf } from '../support/cursorSimulator/log.ts';
import type { Simulator } from '../support/cursorSimulator/inTmux.ts';
import type { ScenarioInput } from '../support/cursorSimulator/scenario.ts';
import { useSimulators } from '../support/cursorSimulator/useSimulators.ts';
import { ApprovalWindow } from './window.ts';

const quick = { leadMs: 100 };
const deploy = { args: { command: 'make deploy' } };

describe('answering cursor-agent in tmux', function () {
  this.timeout(60_000);
  const start = useSimulators();
  let window: ApprovalWindow | undefined;

  afterEach(() => {
    window?.dispose();
    window = undefined;
  });

  async function open(scenario: ScenarioInput): Promise<{ simulator: Simulator; window: ApprovalWindow }> {
    const simulator = await start({ scenario: { defaults: quick, ...scenario } });
    window = new ApprovalWindow([simulator.root]);
    return { simulator, window };
  }

  function keys(simulator: Simulator): string[] {
    return keysOf(simulator.log()).map((each) => ('key' in each ? each.key : each.text));
  }

  it('approves a command', async () => {
    const { simulator, window } = await open({ steps: [{ step: 'calls', calls: [{ ...deploy, runMs: 1500 }] }] });
    const request = await window.request();
    assert.ok(request.kind === 'permission' && request.subject.kind === 'command');
    assert.equal(request.subject.command, 'make deploy');
    assert.deepEqual(window.answer(request, { kind: 'approve' }), { taken: true });
    assert.deepEqual(await window.delivered(request), { state: 'accepted' });
    assert.equal((await window.end(request)).end, 'confirmed');
    assert.deepEqual(keys(simulator), ['y']);
    assert.deepEqual([...decisions(simulator.log()).values()], [{ kind: 'approved', by: 'y' }]);
  });

  it('rejects a command without and with a reason', async () => {
    const { simulator, window } = await open({
      steps: [
        { step: 'calls', calls: [deploy] },
        { step: 'calls', calls: [{ args: { command: 'make clean' } }] },
      ],
    });
    const first = await window.request();
    window.answer(first, { kind: 'reject', reason: '' });
    assert.equal((await window.end(first)).end, 'confirmed');
    const second = await window.request(({ id, answerable }) => id !== first.id && answerable.state === 'yes');
    window.answer(second, { kind: 'reject', reason: 'use the staging target; it is -safer' });
    assert.equal((await window.end(second)).end, 'confirmed');
    assert.deepEqual(keys(simulator), ['Escape', 'Enter', 'Escape', 'use the staging target; it is -safer', 'Enter']);
    assert.deepEqual(
      [...decisions(simulator.log()).values()],
      [
        { kind: 'rejected', reason: '' },
        { kind: 'rejected', reason: 'use the staging target; it is -safer' },
      ],
    );
  });

  it('answers questions', async () => {
    const options = [{ label: 'main' }, { label: 'next' }, { label: 'main' }];
    const questions = [
      { id: 'a', prompt: 'Which branch?', options },
      {
        id: 'b',
        prompt: 'Which checks?',
        options: [{ label: 'lint' }, { label: 'test' }, { label: 'bench' }],
        allowMultiple: true,
      },
      { id: 'c', prompt: 'Anything else?', options: [{ label: 'No' }] },
    ];
    const { simulator, window } = await open({
      steps: [{ step: 'calls', calls: [{ toolName: 'AskQuestion', args: { title: 'Release', questions } }] }],
    });
    const request = await window.request();
    const answers = [
      { options: [2], other: '' },
      { options: [0, 2], other: '' },
      { options: [], other: 'Enter; -l' },
    ];
    assert.deepEqual(window.answer(request, { kind: 'answers', answers }), { taken: true });
    assert.equal((await window.end(request, 20_000)).end, 'confirmed');
    assert.deepEqual([...decisions(simulator.log()).values()], [{ kind: 'answered', answers }]);
  });

  it('answers a batch in one go, each call at its own prompt', async () => {
    const calls = ['one', 'two', 'three'].map((name) => ({ args: { command: `echo ${name}` } }));
    const { simulator, window } = await open({ steps: [{ step: 'calls', calls }] });
    await window.request();
    const requests = window.approvals.requests();
    assert.deepEqual(
      requests.map(({ answerable }) => answerable.state),
      ['yes', 'later', 'later'],
    );
    const receipts = requests.map((request, index) =>
      window.answer(request, index === 1 ? { kind: 'reject', reason: '' } : { kind: 'approve' }),
    );
    assert.ok(receipts.every(({ taken }) => taken));
    for (const request of requests) assert.equal((await window.end(request)).end, 'confirmed');
    assert.deepEqual(keys(simulator), ['y', 'Escape', 'Enter', 'y']);
    assert.deepEqual(
      [...decisions(simulator.log()).values()].map(({ kind }) => kind),
      ['approved', 'rejected', 'approved'],
    );
  });

  it('lets the person answer in the terminal', async () => {
    const { simulator, window } = await open({ steps: [{ step: 'calls', calls: [{ ...deploy, runMs: 3000 }] }] });
    const request = await window.request();
    await simulator.press('y');
    assert.equal((await window.end(request, 1000)).end, 'answeredElsewhere');
    assert.deepEqual(window.approvals.requests(), []);
    assert.equal(window.answer(request, { kind: 'approve' }).taken, false);
    assert.deepEqual(keys(simulator), ['y']);
  });

  it('types once when two windows answer at once', async () => {
    const { simulator, window } = await open({ steps: [{ step: 'calls', calls: [{ ...deploy, runMs: 1500 }] }] });
    const other = new ApprovalWindow([simulator.root], window.locks);
    try {
      const [here, there] = await Promise.all([window.request(), other.request()]);
      assert.deepEqual(here.id, there.id);
      assert.ok(window.answer(here, { kind: 'approve' }).taken && other.answer(there, { kind: 'approve' }).taken);
      const ends = await Promise.all([window.end(here), other.end(there)]);
      assert.deepEqual(ends.map(({ end }) => end).sort(), ['answeredElsewhere', 'confirmed']);
      assert.deepEqual(keys(simulator), ['y']);
    } finally {
      other.dispose();
    }
  });
});
