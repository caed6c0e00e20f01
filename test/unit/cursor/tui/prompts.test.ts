import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { readScreen, type Screen } from '../../../../src/cursor/tui/prompts.ts';
import { screen, screenRows, screensFolder } from './screens.ts';

/** Projects' collections of such screens, where somebody has them beside the checkout. */
const samples = resolve(import.meta.dirname, '../../../../../shared/samples');
const sampleFolders = existsSync(samples) ? readdirSync(samples).filter((name) => name.includes('-cursor-tui')) : [];

/** What waits for a person, by how the name of a fixture begins. */
const kinds: [string, Screen['kind'][]][] = [
  ['none-', ['idle', 'busy', 'draft', 'unclear']],
  ['mode-switch', ['modeSwitch']],
  ['reason-typed', ['draft']],
  ['reason-box', ['reasonBox']],
  ['question', ['question']],
  ['trust', ['trust']],
  ['', ['approval']],
];

describe('reading a screen', () => {
  for (const file of readdirSync(screensFolder)) {
    const name = file.replace('.txt', '');
    const [, expected = []] = kinds.find(([prefix]) => name.startsWith(prefix)) ?? [];
    it(`takes ${name} for ${expected.join(' or ')}`, () => {
      assert.ok(expected.includes(screen(name).kind), screen(name).kind);
      // As a terminal's buffer gives it: padded rows, and blank ones up to its height.
      const padded = [...screenRows(name).map((row) => row.padEnd(120)), ...Array<string>(30).fill(' '.repeat(120))];
      assert.deepEqual(readScreen(padded), screen(name));
    });
  }

  it('names the keys that are offered and the marked row', () => {
    const shell = screen('shell');
    assert.ok(shell.kind === 'approval');
    assert.deepEqual(
      shell.offers.map(({ keys, marked }) => [keys.join(' '), marked]),
      [
        ['y', true],
        ['tab', false],
        ['shift+tab', false],
        ['esc n', false],
      ],
    );
    assert.equal(shell.offers[0]?.label, 'Run (once)');
    assert.equal(shell.subject.question, 'Run this command?');
    const moved = screen('shell-moved');
    assert.ok(moved.kind === 'approval');
    assert.deepEqual(moved.offers.find(({ marked }) => marked)?.keys, ['esc', 'n']);
  });

  it('joins choices that are wrapped', () => {
    const wrapped = screen('shell-wrapped');
    assert.ok(wrapped.kind === 'approval');
    assert.deepEqual(
      wrapped.offers.map(({ keys }) => keys.join(' ')),
      ['y', 'tab', 'shift+tab', 'esc n'],
    );
  });

  it('reads question forms', () => {
    const form = screen('question-second');
    assert.ok(form.kind === 'question');
    assert.deepEqual(form.picker.position, { number: 2, of: 2 });
    assert.deepEqual(form.picker.rows[1], {
      lines: ['Everything, with the browsers that are', 'installed on this machine'],
      checked: false,
      marked: true,
    });
    assert.deepEqual(
      form.picker.rows.map(({ checked }) => checked),
      [true, false, false, false],
    );
  });

  it('takes a form with words below it for none', () => {
    assert.equal(readScreen([...screenRows('question'), '  That is how it looks.']).kind, 'unclear');
  });

  it('reads what somebody typed into the composer', () => {
    const draft = screen('reason-typed');
    assert.ok(draft.kind === 'draft');
    assert.equal(screen('none-draft-of-choices').kind, 'draft');
    assert.equal(draft.text, 'use the staging target first, then ask again');
  });

  it('tells busy from idle', () => {
    assert.equal(screen('none-quoted-busy').kind, 'busy');
    assert.equal(screen('none-background').kind, 'idle');
    // Never an approval, and not trust in the folder either.
    assert.equal(screen('none-servers').kind, 'unclear');
    assert.equal(readScreen([' ⠰⠰ Waiting  2k tokens', '  → Add a follow-up']).kind, 'busy');
  });

  it('takes a prompt in the transcript for none, whatever stands around it', () => {
    const prompts = ['shell', 'shell-plain', 'write', 'delete', 'mcp', 'decision', 'question', 'mode-switch', 'trust'];
    const row = fc.oneof(fc.constantFrom('', '─'.repeat(40), '  → first this, then that', 'Done?'), fc.string());
    const composer = fc.constantFrom('none-status-bar', 'none-quoted-busy', 'none-draft-of-prompt', 'none-background');
    fc.assert(
      fc.property(fc.array(row), fc.constantFrom(...prompts), fc.array(row), composer, (above, prompt, below, end) => {
        const { kind } = readScreen([...above, ...screenRows(prompt), ...below, '', ...screenRows(end)]);
        assert.ok(['idle', 'busy', 'draft', 'unclear'].includes(kind), kind);
      }),
    );
  });

  it('sees a live prompt whatever the transcript above says', () => {
    const row = fc.oneof(
      fc.constantFrom(
        '  → Add a follow-up',
        'ctrl+c to stop',
        ' ▄▄▄▄▄▄',
        ' ▀▀▀▀▀▀',
        'Run (once) (y)',
        ' → no (n)',
        '❯ ls',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), (above) => {
        assert.equal(readScreen([...above, ...screenRows('shell')]).kind, 'approval');
      }),
    );
  });

  it('never fails on random screens', () => {
    const pieces = fc.constantFrom(
      '→',
      '›',
      '(y)',
      ' (esc or n)',
      '[ ]',
      '[x] Other:',
      '?',
      '│',
      '▄▄▄▄',
      '────',
      '(',
      ')',
      ' · ',
    );
    const row = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' }))).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 80 }), (rows) => {
        assert.ok(readScreen(rows).kind);
      }),
    );
  });

  it('takes bounded time on hostile screens', () => {
    const long = ['(', '(y) ', '▄', '─', '→ ', '[ ] ', ' ', 'a b ', '↑ ', '$ ', 'Enter to send, ', ' or n', '⠰ '];
    const started = performance.now();
    for (const piece of long) readScreen(Array<string>(10_000).fill(piece.repeat(20_000)));
    assert.ok(performance.now() - started < 10_000, `${String(performance.now() - started)} ms`);
  });
});

if (sampleFolders.length === 0) console.log('no samples of screens beside this checkout: these checks are left out');
else {
  describe('screens that other projects collected', () => {
    for (const folder of sampleFolders) {
      for (const file of readdirSync(resolve(samples, folder))) {
        const whole = readFileSync(resolve(samples, folder, file), 'utf8');
        // What the file says of itself stands before the screen; colours are no part of a captured row.
        const text = whole.slice(!whole.includes('screen:\n') ? 0 : whole.indexOf('screen:\n') + 8);

        const plain = text.replaceAll(/\u001b(?:\[[0-9;]*m|\][^\u001b]*(?:\u001b\\)?)/g, '');
        const screens = file === 'prompts.txt' ? plain.split('---\n') : [plain];
        const isPrompt = /blocked_|permission|^prompts/.test(file);
        it(`${folder}/${file}: ${isPrompt ? 'a prompt' : 'none'}`, () => {
          for (const each of screens) {
            const { kind } = readScreen(each.split('\n'));
            assert.equal(['approval', 'modeSwitch', 'question', 'reasonBox', 'trust'].includes(kind), isPrompt, kind);
          }
        });
      }
    }
  });
}
