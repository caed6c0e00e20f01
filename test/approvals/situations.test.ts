import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { PendingRequest } from '../../src/protocol/request.ts';
import { decisions, keysOf } from '../support/cursorSimulator/log.ts';
import type { Simulator } from '../support/cursorSimulator/inTmux.ts';
import type { ScenarioInput } from '../support/cursorSimulator/scenario.ts';
import { useSimulators } from '../support/cursorSimulator/useSimulators.ts';
import { ApprovalWindow, canBeAnswered } from './window.ts';

const deploy = { args: { command: 'make deploy' } };

describe('what is shown of cursor-agent in tmux', function () {
  this.timeout(60_000);
  const start = useSimulators();
  let window: ApprovalWindow | undefined;

  afterEach(() => {
    window?.dispose();
    window = undefined;
  });

  async function open(scenario: ScenarioInput): Promise<{ simulator: Simulator; window: ApprovalWindow }> {
    const simulator = await start({ scenario: { defaults: { leadMs: 100 }, ...scenario } });
    window = new ApprovalWindow([simulator.root]);
    return { simulator, window };
  }

  function keys(simulator: Simulator): string[] {
    return keysOf(simulator.log()).map((each) => ('key' in each ? each.key : each.text));
  }

  const tools = [
    { toolName: 'Write', args: { path: 'src/a.ts', contents: 'export {};\n' } },
    { toolName: 'StrReplace', args: { path: 'src/b.ts', old_string: 'one', new_string: 'two' } },
    { toolName: 'ApplyPatch', args: '*** Begin Patch\n*** Update File: src/c.ts\n@@\n-a\n+b\n*** End Patch' },
    { toolName: 'ApplyPatch', args: { patch: '*** Begin Patch\n*** Delete File: src/d.ts\n*** End Patch' } },
    { toolName: 'Delete', args: { path: 'notes/old.md' } },
    { toolName: 'WebFetch', args: { url: 'https://example.com/a?b=c' } },
    { toolName: 'WebSearch', args: { search_term: 'how to deploy' } },
    { toolName: 'CallMcpTool', args: { server: 'tracker', toolName: 'close', arguments: { id: 7 } } },
    { toolName: 'SwitchMode', args: { target_mode_id: 'plan', explanation: 'To think first.' } },
    { toolName: 'Teleport', args: { place: 'the other side of the river' } },
  ];

  it('every kind of call, approved', async () => {
    const { simulator, window } = await open({ steps: tools.map((call) => ({ step: 'calls', calls: [call] })) });
    const seen = new Set<string>();
    for (const { toolName } of tools) {
      const request = await window
        .request((each) => canBeAnswered(each) && !seen.has(each.id))
        .catch((error: unknown) => {
          throw new Error(`${toolName}: ${String(error)}`);
        });
      seen.add(request.id);
      window.answer(request, { kind: 'approve' });
      assert.equal((await window.end(request)).end, 'confirmed', toolName);
    }
    assert.deepEqual(
      keys(simulator),
      tools.map(() => 'y'),
    );
  });

  it('every kind of call, rejected with a reason', async () => {
    const { simulator, window } = await open({ steps: tools.map((call) => ({ step: 'calls', calls: [call] })) });
    const seen = new Set<string>();
    for (const { toolName } of tools) {
      const request = await window.request((each) => canBeAnswered(each) && !seen.has(each.id));
      seen.add(request.id);
      window.answer(request, { kind: 'reject', reason: 'not yet' });
      assert.equal((await window.end(request)).end, 'confirmed', toolName);
    }
    const made = [...decisions(simulator.log()).values()];
    assert.ok(made.every(({ kind }) => kind === 'rejected'));
    assert.equal(made.filter((each) => each.kind === 'rejected' && each.reason === 'not yet').length, 7);
  });

  it('nothing of what runs by itself', async () => {
    const { simulator, window } = await open({
      steps: [{ step: 'calls', calls: [{ ...deploy, autoRun: true, runMs: 3000 }] }],
    });
    await simulator.logged(({ event }) => event === 'pending');
    for (const end = Date.now() + 2500; Date.now() < end;) {
      assert.deepEqual(window.approvals.requests(), []);
      await delay(20);
    }
  });

  it('nothing where everything runs, and the card goes when that is switched on', async () => {
    const { simulator, window } = await open({
      steps: [{ step: 'calls', calls: [deploy], interrupt: { by: 'runEverything', afterMs: 1500 } }],
    });
    const request = await window.request();
    await window.end(request);
    assert.deepEqual(keys(simulator), []);
  });

  for (const by of ['crash', 'kill'] as const) {
    it(`no card after the session's end by ${by}`, async () => {
      const { window } = await open({ steps: [{ step: 'calls', calls: [deploy], interrupt: { by, afterMs: 1000 } }] });
      const request = await window.request();
      assert.equal((await window.end(request, 5000)).end, 'sessionEnded');
      assert.equal(window.answer(request, { kind: 'approve' }).taken, false);
    });
  }

  it('another prompt in place of the one that was answered: nothing is typed', async () => {
    const { simulator, window } = await open({
      steps: [
        {
          step: 'calls',
          calls: [deploy],
          interrupt: { by: 'replace', afterMs: 1000, calls: [{ args: { command: 'rm -rf build' } }] },
        },
      ],
    });
    const request = await window.request();
    const other = await window.request((each) => canBeAnswered(each) && each.id !== request.id);
    assert.equal(window.answer({ ...other, id: request.id }, { kind: 'approve' }).taken, false);
    assert.equal(window.answer({ ...request, id: other.id }, { kind: 'approve' }).taken, false);
    await delay(500);
    assert.deepEqual(keys(simulator), []);
  });

  it('requests of sub-agents under their parent, and of the chat after /clear', async () => {
    const { window } = await open({
      title: 'Parent',
      steps: [
        { step: 'say', text: 'Hello' },
        { step: 'subagent', typeName: 'explore', calls: [deploy] },
        { step: 'clear' },
        { step: 'calls', calls: [{ args: { command: 'make clean' } }] },
      ],
    });
    const request = await window.request();
    assert.equal(request.session.subagent, 'explore');
    window.answer(request, { kind: 'approve' });
    const next = await window.request((each) => canBeAnswered(each) && each.id !== request.id);
    assert.equal(next.session.subagent, undefined);
    assert.notEqual(next.session.id, request.session.id);
    window.answer(next, { kind: 'approve' });
    assert.equal((await window.end(next)).end, 'confirmed');
  });

  it('why it cannot be answered in copy mode, and that it can be afterwards', async () => {
    const { simulator, window } = await open({ steps: [{ step: 'calls', calls: [deploy] }] });
    const request = await window.request();
    await simulator.server.tmux('copy-mode', '-t', simulator.pane);
    await window.request(({ answerable }) => answerable.state === 'no');
    await simulator.server.tmux('send-keys', '-t', simulator.pane, '-X', 'cancel');
    window.answer(await window.request(), { kind: 'approve' });
    assert.equal((await window.end(request)).end, 'confirmed');
    assert.deepEqual(keys(simulator), ['y']);
  });

  it('a prompt of an unknown version, whose keys are sent only when the person says so', async () => {
    const { simulator, window } = await open({ steps: [{ step: 'calls', calls: [{ ...deploy, shape: 'unknown' }] }] });
    const request = await window.request(canBeAnswered, 15_000);
    window.answer(request, { kind: 'approve' });
    const delivery = await window.delivered(request);
    assert.ok(delivery !== 'over' && delivery.state === 'notDelivered');
    assert.equal(delivery.retry, 'anyway');
    assert.deepEqual(keys(simulator), []);
    assert.deepEqual(window.answer(request, { kind: 'approve' }, true), { taken: true });
    assert.equal((await window.end(request)).end, 'confirmed');
    assert.deepEqual(keys(simulator), ['y']);
  });

  it('two sessions in one folder, each answered in its own terminal', async () => {
    const calls = [{ step: 'calls' as const, calls: [deploy] }];
    const first = await start({ scenario: { defaults: { leadMs: 100 }, steps: calls } });
    const second = await start({
      scenario: { defaults: { leadMs: 100 }, steps: calls },
      root: first.root,
      cwd: first.cwd,
    });
    window = new ApprovalWindow([first.root]);
    const inPane = (pane: string) => (each: PendingRequest) =>
      canBeAnswered(each) && each.session.terminal === `tmux ${pane}`;
    const other = await window.request(inPane(first.pane));
    const request = await window.request(inPane(second.pane));
    window.answer(request, { kind: 'approve' });
    assert.equal((await window.end(request)).end, 'confirmed');
    assert.deepEqual([keys(first), keys(second)], [[], ['y']]);
    assert.deepEqual(
      window.approvals.requests().map(({ id }) => id),
      [other.id],
    );
  });
});
