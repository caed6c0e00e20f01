import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { openChat } from '../../src/cursor/store/readChat.ts';
import { whosePrompt } from '../../src/cursor/tui/ownPrompt.ts';
import { readScreen, type Screen } from '../../src/cursor/tui/prompts.ts';
import { decisions } from '../support/cursorSimulator/log.ts';
import type { Simulator } from '../support/cursorSimulator/inTmux.ts';
import type { ScenarioInput } from '../support/cursorSimulator/scenario.ts';
import { useSimulators } from '../support/cursorSimulator/useSimulators.ts';

type CallInput = Extract<NonNullable<ScenarioInput['steps']>[number], { step: 'calls' }>['calls'][number];

const patch = '*** Begin Patch\n*** Update File: src/b.ts\n@@\n-a\n+b\n*** End Patch';
const ticket = { title: 'Broken link', labels: ['bug'] };
const calls: [kind: Screen['kind'], call: CallInput][] = [
  ['approval', { args: { command: 'make deploy' }, notInAllowlist: 'make' }],
  ['approval', { args: { command: 'curl -sS https://example.org' }, outsideSandbox: true, argsName: 'input' }],
  ['approval', { args: { command: 'make again' }, hook: 'deployments need a second look', shape: 'above' }],
  ['approval', { toolName: 'Write', args: { path: 'src/a.ts', contents: 'one\ntwo' } }],
  ['approval', { toolName: 'StrReplace', args: { path: 'src/c.ts', old_string: 'x', new_string: 'y' } }],
  ['approval', { toolName: 'ApplyPatch', args: patch }],
  ['approval', { toolName: 'ApplyPatch', args: { patch: patch.replace('b.ts', 'd.ts') }, wording: 'bare' }],
  ['approval', { toolName: 'Delete', args: { path: 'notes/old.md' } }],
  ['approval', { toolName: 'WebFetch', args: { url: 'https://example.org/releases?page=2' } }],
  ['approval', { toolName: 'WebSearch', args: { search_term: 'release notes' }, wording: 'old' }],
  [
    'approval',
    { toolName: 'CallMcpTool', args: { server: 'tracker', toolName: 'new', arguments: ticket }, shape: 'above' },
  ],
  ['approval', { toolName: 'Frobnicate', args: { what: 'all the things' } }],
  ['modeSwitch', { toolName: 'SwitchMode', args: { target_mode_id: 'agent', explanation: 'Files must be changed.' } }],
  ['question', { toolName: 'AskQuestion', args: { questions: [{ prompt: 'Which?', options: [{ label: 'One' }] }] } }],
];

describe('the simulated cursor-agent: prompts', () => {
  const start = useSimulators();

  for (const shape of ['above', 'below', 'decision'] as const) {
    it(`shows prompts that are recognised, argument ${shape}`, async () => {
      const batch = calls.map(([, call]) => call);
      const simulator = await start({
        scenario: { defaults: { leadMs: 0, shape }, steps: [{ step: 'calls', calls: batch }] },
        size: { columns: 80, rows: 30 },
      });
      for (const [index, [kind]] of calls.entries()) {
        const id = await simulator.painted(index + 1);
        const { screen, owner } = await look(simulator);
        assert.equal(screen.kind, kind, id);
        assert.ok(owner.kind === 'call', `call ${index}: ${owner.kind}`);
        assert.equal(owner.call.toolCallId, id);
        await simulator.press(kind === 'question' ? 'Enter' : 'y');
      }
      const log = await simulator.logged(({ event }) => event === 'idle');
      assert.equal(decisions(log).size, calls.length);
      assert.equal(readScreen(await simulator.shows((rows) => readScreen(rows).kind !== 'busy')).kind, 'idle');
    }).timeout(15_000);
  }

  it('redraws in a pane of another size, and follows the marked row', async () => {
    const args = {
      command: `node build.mjs --release ${'--with-a-long-option '.repeat(4)}--and-a-path=/srv/site/assets`,
    };
    const steps: ScenarioInput['steps'] = [
      { step: 'quote', rows: ['Run this command?', '  $ make other', ' → Run (once) (y)', '   Skip (esc or n)'] },
      { step: 'say', text: Array.from({ length: 40 }, (_, line) => `Line ${line}.`).join('\n') },
      { step: 'calls', calls: [{ args, wording: 'new' }] },
    ];
    const simulator = await start({ scenario: { defaults: { leadMs: 0 }, steps } });
    await simulator.painted();
    for (const [columns, rows] of [
      [44, 30],
      [120, 40],
      [60, 12],
    ] as const) {
      await simulator.resize(columns, rows);
      await simulator.shows((shown) => shown.some((row) => row.includes('─'.repeat(columns))) || rows < 20);
      await delay(50);
      const { owner } = await look(simulator);
      assert.equal(owner.kind, 'call', `${columns}x${rows}`);
    }
    await simulator.press('Down', 'Down', 'Down');
    await simulator.shows((rows) => rows.some((row) => row.includes('→ Skip & tell')));
  });

  it('asks whether to trust the folder before there is a chat', async () => {
    const simulator = await start({
      scenario: { defaults: { leadMs: 0 }, steps: [{ step: 'trust' }, { step: 'say', text: 'Hello.' }] },
    });
    await simulator.shows((rows) => readScreen(rows).kind === 'trust');
    assert.ok(!simulator.log().some(({ event }) => event === 'chat'));
    await simulator.press('a');
    await simulator.chatFolder();
  });

  it('shows what nobody recognises when told to', async () => {
    const simulator = await start({
      scenario: {
        defaults: { leadMs: 0, shape: 'unknown' },
        steps: [{ step: 'calls', calls: [{ args: { command: 'ls' } }] }],
      },
    });
    await simulator.painted();
    assert.equal((await look(simulator)).screen.kind, 'unclear');
    await simulator.press('y');
    await simulator.logged(({ event }) => event === 'finished');
  });
});

async function look(simulator: Simulator) {
  const state = await openChat(await simulator.chatFolder()).read();
  assert.ok(state.certainty === 'known');
  const screen = readScreen(await simulator.screen());
  return { screen, owner: whosePrompt(screen, state.pending) };
}
