import assert from 'node:assert/strict';
import { readScreen } from '../../src/cursor/tui/prompts.ts';
import type { Simulator } from '../support/cursorSimulator/inTmux.ts';
import { type Decision, decisions, keysOf } from '../support/cursorSimulator/log.ts';
import type { ScenarioInput } from '../support/cursorSimulator/scenario.ts';
import { useSimulators } from '../support/cursorSimulator/useSimulators.ts';

type CallInput = Extract<NonNullable<ScenarioInput['steps']>[number], { step: 'calls' }>['calls'][number];

const shell: CallInput = { args: { command: 'make deploy' } };
const question = (prompt: string, allowMultiple: boolean, ...labels: string[]): object => ({
  prompt,
  allowMultiple,
  options: labels.map((label) => ({ label })),
});
const form: CallInput = {
  toolName: 'AskQuestion',
  args: {
    questions: [question('Which branch?', false, 'main', 'next'), question('Which checks?', true, 'a', 'b', 'c')],
  },
};

describe('the simulated cursor-agent: keys', () => {
  const start = useSimulators();

  async function prompted(call: CallInput, scenario: ScenarioInput = {}): Promise<Simulator> {
    const steps: ScenarioInput['steps'] = [{ step: 'calls', calls: [call] }];
    const simulator = await start({ scenario: { ...scenario, defaults: { leadMs: 0, ...scenario.defaults }, steps } });
    await simulator.painted();
    return simulator;
  }

  async function decided(simulator: Simulator): Promise<Decision | undefined> {
    const log = await simulator.logged(({ event }) => event === 'decided');
    return [...decisions(log).values()][0];
  }

  const singleKeys: [call: CallInput, keys: string[], decision: Decision][] = [
    [shell, ['y'], { kind: 'approved', by: 'y' }],
    [shell, ['Escape', 'Enter'], { kind: 'rejected', reason: '' }],
    [shell, ['n', 'Enter'], { kind: 'rejected', reason: '' }],
    [{ ...shell, reasonBox: false }, ['Escape'], { kind: 'rejected' }],
    [shell, ['Down', 'Up', 'Enter'], { kind: 'approved', by: 'Enter' }],
    [{ toolName: 'Delete', args: { path: 'a.md' } }, ['Escape', 'n'], { kind: 'rejected' }],
    [{ toolName: 'M', args: { server: 's' } }, ['p', 'Enter'], { kind: 'rejected', reason: '' }],
    [{ toolName: 'M', args: { server: 's' } }, ['n'], { kind: 'rejected' }],
    [{ toolName: 'SwitchMode' }, ['Escape'], { kind: 'rejected' }],
    [form, ['Escape'], { kind: 'skipped' }],
  ];
  for (const [call, keys, decision] of singleKeys) {
    it(`takes ${keys.join(', ')} for ${call.toolName ?? 'Shell'} as ${JSON.stringify(decision)}`, async () => {
      const simulator = await prompted(call);
      await simulator.press(...keys);
      assert.deepEqual(await decided(simulator), decision);
      assert.deepEqual(
        keysOf(simulator.log()).map((each) => 'key' in each && each.key),
        keys,
      );
    });
  }

  it('takes a reason in one go, but not an Enter in the same burst', async () => {
    const simulator = await prompted(shell);
    await simulator.press('Escape');
    await simulator.shows((rows) => readScreen(rows).kind === 'reasonBox');
    await simulator.type('use staging: ä; 日本\r');
    await simulator.shows((rows) => readScreen(rows).kind === 'draft');
    assert.equal(decisions(simulator.log()).size, 0);
    await simulator.press('Enter');
    assert.deepEqual(await decided(simulator), { kind: 'rejected', reason: 'use staging: ä; 日本' });
    const keys = [{ key: 'Escape' }, { text: 'use staging: ä; 日本' }, { key: 'Enter' }, { key: 'Enter' }];
    assert.deepEqual(keysOf(simulator.log()), keys);
  });

  it('runs the command on a second Escape and Enter', async () => {
    const simulator = await prompted(shell);
    await simulator.press('Escape', 'Escape', 'Enter');
    assert.deepEqual(await decided(simulator), { kind: 'approved', by: 'Enter' });
  });

  it('drops keys that come in a burst, and takes Escape with a key behind it for Alt', async () => {
    const simulator = await prompted(shell);
    for (const burst of ['yy', '\u001by', 'y\r']) {
      await simulator.type(burst);
      const hex = Buffer.from(burst).toString('hex');
      await simulator.logged((entry) => entry.event === 'input' && entry.hex === hex);
    }
    assert.deepEqual(keysOf(simulator.log()), [{ text: 'yy' }, { key: 'Alt+y' }, { key: 'y' }, { key: 'Enter' }]);
    assert.equal(decisions(simulator.log()).size, 0);
  });

  it('stops on Ctrl+C', async () => {
    const simulator = await prompted(shell);
    await simulator.press('C-c');
    const log = await simulator.logged(({ event }) => event === 'idle');
    assert.ok(log.some(({ event }) => event === 'withdrawn'));
    await simulator.shows((rows) => readScreen(rows).kind === 'idle');
  });

  it('writes the allowlist on Tab and switches Run Everything on with Shift+Tab', async () => {
    const steps: ScenarioInput['steps'] = [{ step: 'calls', calls: [shell, shell, shell] }];
    const simulator = await start({ scenario: { defaults: { leadMs: 0 }, steps } });
    await simulator.painted();
    await simulator.press('Tab');
    await simulator.painted(2);
    await simulator.press('BTab');
    const log = await simulator.logged(({ event }) => event === 'finished');
    assert.deepEqual(
      log.flatMap((entry) => (entry.event === 'allowlisted' || entry.event === 'runEverything' ? [entry.what] : [])),
      ['Shell(make)', 'true'],
    );
    assert.equal(decisions(log).size, 2, 'the third one runs by itself');
  });

  it('answers a form as it is filled in', async () => {
    const simulator = await prompted(form);
    await simulator.press('Down', 'Enter', 'Space', 'Down', 'Down', 'Space', 'Down');
    await simulator.type('d and e');
    await simulator.press('Enter');
    assert.deepEqual(await decided(simulator), {
      kind: 'answered',
      answers: [
        { options: [1], other: '' },
        { options: [0, 2], other: 'd and e' },
      ],
    });
  });
});
