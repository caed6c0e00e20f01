import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { PendingRequest } from '../../src/protocol/request.ts';
import type { Simulator } from '../support/cursorSimulator/inTmux.ts';
import { decisions, keysOf } from '../support/cursorSimulator/log.ts';
import type { ScenarioInput } from '../support/cursorSimulator/scenario.ts';
import { useSimulators } from '../support/cursorSimulator/useSimulators.ts';
import { ApprovalWindow, canBeAnswered } from './window.ts';

const line = '─'.repeat(80);
const shell = (command: string): { args: { command: string } } => ({ args: { command } });

describe('what no agent and no accident gets typed', function () {
  this.timeout(60_000);
  const start = useSimulators();
  let window: ApprovalWindow | undefined;

  afterEach(() => {
    window?.dispose();
    window = undefined;
  });

  async function open(
    scenario: ScenarioInput,
    inShell = false,
  ): Promise<{ simulator: Simulator; window: ApprovalWindow }> {
    const simulator = await start({ scenario: { defaults: { leadMs: 100 }, ...scenario }, inShell });
    window = new ApprovalWindow([simulator.root]);
    return { simulator, window };
  }

  function keys(simulator: Simulator): string[] {
    return keysOf(simulator.log()).map((each) => ('key' in each ? each.key : each.text));
  }

  function commandOf(request: PendingRequest): string {
    return request.kind === 'permission' && request.subject.kind === 'command' ? request.subject.command : '';
  }

  /** Answers whatever can be answered, for a while. */
  async function approveAll(ms: number, isIt: (request: PendingRequest) => boolean): Promise<void> {
    for (const end = performance.now() + ms; performance.now() < end;) {
      const answerable = window?.approvals.requests().filter((each) => canBeAnswered(each) && isIt(each)) ?? [];
      for (const each of answerable) window?.answer(each, { kind: 'approve' });
      await delay(50);
    }
  }

  for (const shape of ['above', 'below'] as const) {
    it(`an approval of a command that another one imitates (${shape})`, async () => {
      const hostile = `rm -rf x\n${line}\nok?\n$ ls`;
      const { simulator } = await open({
        defaults: { leadMs: 100, shape },
        steps: [{ step: 'calls', calls: [shell(hostile), shell('ls')] }],
      });
      await simulator.painted();
      await approveAll(2500, (request) => commandOf(request) === 'ls');
      assert.deepEqual(keys(simulator), []);
    });
  }

  it('what was to be sent anyway, once another prompt is there', async () => {
    const unknown = { shape: 'unknown' as const };
    const { simulator, window } = await open({
      steps: [
        {
          step: 'calls',
          calls: [
            { ...shell('make one'), ...unknown, runMs: 20_000 },
            { ...shell('make two'), ...unknown },
          ],
        },
      ],
    });
    const request = await window.request((each) => canBeAnswered(each) && commandOf(each) === 'make one', 15_000);
    window.answer(request, { kind: 'approve' });
    const delivery = await window.delivered(request);
    assert.ok(delivery !== 'over' && delivery.state === 'notDelivered' && delivery.retry === 'anyway');
    await simulator.press('y');
    await simulator.painted(2);
    window.answer(request, { kind: 'approve' }, true);
    await delay(1500);
    assert.deepEqual(keys(simulator), ['y']);
    assert.equal(decisions(simulator.log()).size, 1);
  });

  it('anything for two commands that look the same', async () => {
    const { simulator, window } = await open({
      steps: [{ step: 'calls', calls: [shell('make one'), shell('make one')] }],
    });
    await window.request((each) => each.answerable.state === 'no');
    await approveAll(1500, () => true);
    assert.deepEqual(keys(simulator), []);
    await simulator.press('y');
    await simulator.painted(2);
    await approveAll(1500, () => true);
    assert.deepEqual(keys(simulator), ['y']);
  });

  for (const afterMs of [0, 60, 200, 450, 800]) {
    it(`anything into the shell behind an agent that is killed ${afterMs} ms after the answer`, async () => {
      const { simulator, window } = await open({ steps: [{ step: 'calls', calls: [shell('make one')] }] }, true);
      const request = await window.request();
      window.answer(request, { kind: 'reject', reason: 'touch typed-into-the-shell' });
      await delay(afterMs);
      process.kill(simulator.pids()[0] ?? 0, 'SIGKILL');
      await simulator.ended();
      await window.end(request, 15_000);
      await delay(1000);
      const screen = (await simulator.screen()).join('\n');
      assert.doesNotMatch(screen, /#.*(?:touch|typed-into)/);
    });
  }
});
