import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import which from 'which';
import { probeKinds } from '../../scripts/probe/kinds.ts';
import type { Person } from '../../scripts/probe/person.ts';
import { probe } from '../../scripts/probe/probe.ts';
import type { Result } from '../../scripts/probe/records.ts';
import { showsText } from '../../src/cursor/tui/shownText.ts';
import { readScreen } from '../../src/cursor/tui/prompts.ts';
import { composerRows } from '../support/cursorSimulator/composer.ts';
import { simulatorBinary } from '../support/cursorSimulator/inTmux.ts';
import { decisions, keysOf, readLog } from '../support/cursorSimulator/log.ts';
import type { ScenarioInput } from '../support/cursorSimulator/scenario.ts';
import { useSimulators } from '../support/cursorSimulator/useSimulators.ts';

const execute = promisify(execFile);
const patience = { stillMs: 200, paintMs: 2000, turnMs: 8000 };
const secret = `ghp_${'a1B2'.repeat(9)}`;
const home = '/home/some-body';

/** What the person answers when they are asked this, after pressing these keys in the pane. */
type Reply = [asked: RegExp, answer: string | undefined, ...keys: string[]];
const send: Reply = [/^Enter = send it/, ''];
const answered = (...keys: string[]): Reply => [/^Enter = I have answered/, '', ...keys];

describe('npm run probe:cursor', function () {
  this.timeout(60_000);
  // For its check of tmux.
  useSimulators();
  let folder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'sp-probe-test-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const log = () => readLog(join(folder, 'log.jsonl'));
  const records = () => readdirSync(join(folder, 'records')).sort();
  const keys = () => keysOf(log()).map((each) => ('key' in each ? each.key : each.text));

  async function run(scenario: ScenarioInput, kinds: readonly string[], replies: readonly Reply[]) {
    writeFileSync(join(folder, 'scenario.json'), JSON.stringify({ defaults: { leadMs: 100 }, ...scenario }));
    const env = {
      ...process.env,
      CURSOR_CONFIG_DIR: join(folder, 'cursor'),
      CURSOR_SIMULATOR_SCENARIO: join(folder, 'scenario.json'),
      CURSOR_SIMULATOR_LOG: join(folder, 'log.jsonl'),
      MY_API_TOKEN: secret,
    };
    const person = new ScriptedPerson([[/^Enter = begin/, ''], ...replies]);
    const results = await probe({
      agent: simulatorBinary,
      tmux: await which('tmux'),
      output: join(folder, 'records'),
      whose: { env, home, user: 'some-body', host: 'their-machine' },
      kinds: kinds.map((id) => ({ id, title: id, message: `Do ${id}, please.` })),
      patience,
      person,
      signal: new AbortController().signal,
    });
    assert.deepEqual(person.replies, [], person.told.join('\n'));
    // Nothing runs on, and nothing is left.
    assert.ok(person.socket === '' || !existsSync(dirname(person.socket)));
    return { results, told: person.told.join('\n') };
  }

  const outcomes = (results: readonly Result[]) => results.map(({ kind, outcome }) => `${kind}: ${outcome}`);

  it('records each prompt, sends what the person agreed to, and ends with a table', async () => {
    const form = { questions: [{ prompt: 'Which?', options: [{ label: 'One' }] }] };
    const { results, told } = await run(
      {
        steps: [{ step: 'trust' }],
        onPrompt: [
          [
            {
              step: 'calls',
              calls: [{ args: { command: `cat ${home}/x ${secret}` } }, { args: { command: 'make b' } }],
            },
          ],
          [{ step: 'calls', calls: [{ toolName: 'Write', args: { path: 'a.md', contents: 'x' } }] }],
          [{ step: 'calls', calls: [{ toolName: 'AskQuestion', args: form }] }],
          [{ step: 'calls', calls: [{ autoRun: true, runMs: 500 }] }],
          [{ step: 'calls', calls: [{ args: { command: 'ls' }, shape: 'unknown' }] }],
        ],
      },
      ['batch', 'write', 'question', 'auto', 'unknown', 'never'],
      [
        [/^Enter = send it/, '', 'a'],
        answered('y'),
        answered('y'),
        send,
        [/e = let the probe press Escape/, 'e'],
        [/^r = let the probe press Enter/, 'r'],
        send,
        [/e = let the probe press Escape/, 'e'],
        send,
        send,
        answered('y'),
        [/^Enter = send it/, 's'],
      ],
    );
    assert.deepEqual(outcomes(results), [
      'trust: recognised',
      'batch: recognised',
      'batch-2: recognised',
      'write: recognised',
      'write-reason: recognised',
      'question: recognised',
      'auto: no prompt appeared',
      'unknown: not recognised',
      'never: skipped',
    ]);
    assert.match(told, /^unknown +not recognised /m);
    const texts = ['batch', 'write', 'question', 'auto', 'unknown'].map((id) => `Do ${id}, please.`);
    const [batch = '', write = '', question, auto, unknown] = texts;
    assert.deepEqual(joined(keys()), [
      ...[`a${batch}`, 'Enter', `yy${write}`, 'Enter', 'Escape', 'Enter'],
      ...[question, 'Enter', 'Escape', auto, 'Enter', unknown, 'Enter', 'y'],
    ]);
    assert.deepEqual(
      [...decisions(log()).values()].map(({ kind }) => kind),
      ['approved', 'approved', 'rejected', 'skipped', 'approved'],
    );
  });

  it('records rows, the pending call and the layout of the root, and nothing private', async () => {
    const command = `cat ${home}/${'deep/'.repeat(20)} ${home}/y ${secret} # SOME-body on their-machine`;
    await run({ onPrompt: [[{ step: 'calls', calls: [{ args: { command } }] }]] }, ['shell'], [send, answered('y')]);
    assert.deepEqual(records(), ['01-shell.json', 'summary.json']);
    const text = readFileSync(join(folder, 'records', '01-shell.json'), 'utf8');
    for (const value of [home, 'some-body', 'SOME-body', 'their-machine', secret, 'blobEncryptionKey']) {
      assert.ok(!text.includes(value), value);
    }
    const record = JSON.parse(text) as {
      version: string;
      rows: string[];
      stores: {
        pending: { toolName: string; args: { command: string } }[];
        layout: { field: number; length?: number }[];
      }[];
    };
    assert.equal(record.version, '2026.10.01-51a7ed0');
    assert.ok(record.rows.includes(' Run this command?'));
    assert.ok(!record.rows.join('').replaceAll(/\s/g, '').includes(secret));
    assert.equal(record.rows.length, 40);
    const [store] = record.stores;
    assert.equal(store?.pending[0]?.toolName, 'Shell');
    assert.match(store.pending[0].args.command, /^cat x{15}\/deep/);
    assert.ok(store.layout.some(({ field, length = 0 }) => field === 4 && length > command.length));
  });

  it('has messages that are known again where they are typed', () => {
    for (const { id, message } of probeKinds) {
      const typed = readScreen(composerRows({ placeholder: '', draft: message }, 100));
      assert.ok(typed.kind === 'draft' && showsText([typed.text], message), id);
    }
  });

  it('sends nothing without the person', async () => {
    const { results } = await run(
      { onPrompt: [[{ step: 'say', text: 'Hello.' }]] },
      ['shell'],
      [
        [/^Enter = send it/, 'yes'],
        [/^Enter = send it/, undefined],
      ],
    );
    assert.deepEqual(results, []);
    assert.deepEqual(keys(), []);
  });

  it('does not press Enter on what it has not typed, nor Escape on what has changed', async () => {
    const steps: ScenarioInput['onPrompt'] = [[{ step: 'calls', calls: [{ args: { command: 'ls' } }] }]];
    await run(
      { onPrompt: steps },
      ['shell'],
      [
        // Something stands in the composer already.
        [/^Enter = send it/, '', 'm'],
        [/^Enter = send it/, '', 'BSpace'],
        [/e = let the probe press Escape/, 'e', 'Down'],
        answered('y'),
      ],
    );
    assert.deepEqual(joined(keys()), ['m', 'Backspace', 'Do shell, please.', 'Enter', 'Down', 'y']);
  });
});

/** Texts in one piece, however they arrived. */
function joined(inputs: readonly string[]): string[] {
  const names = new Set(['Enter', 'Escape', 'Down', 'Backspace', 'Tab', 'Shift+Tab']);
  const found: string[] = [];
  let text = '';
  for (const input of inputs) {
    if (names.has(input)) {
      if (text !== '') found.push(text);
      text = '';
      found.push(input);
    } else text += input === 'Space' ? ' ' : input;
  }
  return text === '' ? found : [...found, text];
}

/** Says and presses what was written down before. */
class ScriptedPerson implements Person {
  readonly told: string[] = [];
  readonly replies: Reply[];
  socket = '';

  constructor(replies: Reply[]) {
    this.replies = [...replies];
  }

  tell(text: string): void {
    this.told.push(text);
    this.socket = /tmux -S (\S+) attach/.exec(text)?.[1] ?? this.socket;
  }

  async ask(question: string): Promise<string | undefined> {
    const [asked, answer, ...keys] = this.replies.shift() ?? [/^$/, undefined];
    assert.match(question, asked, this.told.join('\n'));
    for (const key of keys) await execute('tmux', ['-S', this.socket, 'send-keys', '-t', 'probe', key]);
    // Until the agent has drawn what they did.
    if (keys.length > 0) await delay(300);
    return answer;
  }
}
