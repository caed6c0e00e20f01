import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nextStep } from '../../../../src/cursor/tui/keyPlan.ts';
import { type Ownership, whosePrompt } from '../../../../src/cursor/tui/ownPrompt.ts';
import { readScreen, type Screen } from '../../../../src/cursor/tui/prompts.ts';
import type { Sending } from '../../../../src/cursor/tui/steps.ts';
import { ApprovalDialog } from '../../../support/cursorSimulator/approvalDialog.ts';
import { FormDialog } from '../../../support/cursorSimulator/formDialog.ts';
import { promptText } from '../../../support/cursorSimulator/promptText.ts';
import {
  type PlannedCall,
  planCall,
  type ScenarioInput,
  scenarioSchema,
} from '../../../support/cursorSimulator/scenario.ts';
import { screenRows } from './screens.ts';

type CallInput = Extract<NonNullable<ScenarioInput['steps']>[number], { step: 'calls' }>['calls'][number];

const cwd = '/home/dev/work/site';
const shapes = ['above', 'below', 'decision'] as const;
const manyOptions = Array.from({ length: 25 }, (_, index) => `--option-${index}=value`).join(' ');
const deep = `${'a-long-folder-name/'.repeat(7)}of a file.ts`;
const shell = (command: string): CallInput => ({ args: { command } });
const asked = (prompt: string, ...labels: string[]): CallInput => ({
  toolName: 'AskQuestion',
  args: { questions: [{ prompt, options: labels.map((label) => ({ label })) }] },
});
const tool = (toolName: string, args?: unknown): CallInput => ({
  toolName: 'CallMcpTool',
  args: { server: 'tracker', toolName, ...(args !== undefined && { arguments: args }) },
});

/** Calls whose prompts are to be known in every shape and width. */
const shown: Record<string, CallInput> = {
  'a command of 500 characters': shell(`node build.mjs ${manyOptions}`),
  'a command without spaces': shell(`echo ${'abcdefghij'.repeat(50)}`),
  'a command of several lines': shell("cat > a.txt <<'EOF'\none\n\n  two\nEOF\nmake"),
  'a command that ends with a question': shell('echo what is this?'),
  'a command whose second line asks': shell("echo 'first\nis that so?"),
  'a command in Japanese': shell(`echo ${'日本語テスト'.repeat(20)} fin`),
  'a command with emoji': shell('git commit -m "🎉🚀 release — ünïcödé 👩‍👩‍👧"'),
  'a command and the reason, both long': {
    ...shell(`cd /srv && npm test ${manyOptions} && make`),
    notInAllowlist: `cd /srv, npm test ${manyOptions}, make`,
  },
  'a path in Japanese': {
    toolName: 'Write',
    args: { path: `${cwd}/文書/設計 メモ 🎉.md`, contents: 'Really?\nyes (y)' },
  },
  'a long path': { toolName: 'Write', args: { path: `${cwd}/${deep}`, contents: 'x' } },
  'a long path to delete': { toolName: 'Delete', args: { path: `${cwd}/${'deep/'.repeat(30)}x.md` } },
  'a long address': { toolName: 'WebFetch', args: { url: `https://example.org/${'p/'.repeat(150)}?q=1` } },
  'an address that ends with a question mark': { toolName: 'WebFetch', args: { url: 'https://example.org/search?' } },
  'a search that is a question': {
    toolName: 'WebSearch',
    args: { search_term: 'what is the best way to do this in a long sentence that goes on, and why is that so?' },
  },
  'a search with a colon': { toolName: 'WebSearch', args: { search_term: 'Error: no such file' } },
  'a path that begins as a label does': { toolName: 'Delete', args: { path: 'in src/a.ts' } },
  'a tool with arguments': tool('new', { title: 'Broken link', text: 'many words that wrap, '.repeat(8) }),
  'a tool without arguments': tool('list'),
  'a tool whose arguments ask': tool('ask', { q: 'Is it?', list: ['Why?', 'x (y)'] }),
  'a question with odd labels': asked('Which?', 'Enter', 'C-c', '-n', 'a;', 'two\nlines', 'dup', 'dup', '(y)', ''),
  'a question with 200 options': asked('Which?', ...Array.from({ length: 200 }, (_, index) => `n${index}`)),
  'a question without options': asked('What?'),
  'a long question': asked('どちらにしますか、よく考えて？ '.repeat(9), '🎉'.repeat(60), 'A label '.repeat(30)),
};

/** What may stand above, with nothing that separates it from the prompt. */
const transcripts: Record<string, string[]> = {
  nothing: [],
  words: ['  I will see to that.', '  Is that so?', '  tracker: other', '  $ make other'],
  'an approved command': screenRows('shell-plain'),
  'an approved tool': screenRows('mcp'),
  'an answered form': screenRows('question'),
};

describe('prompts of the simulator', function () {
  this.timeout(30_000);
  for (const [name, input] of Object.entries(shown)) {
    it(`are known: ${name}`, () => {
      for (const shape of shapes) {
        const call = planned({ ...input, shape });
        for (const width of [60, 80, 200]) {
          const shownRows = prompt(call, width);
          for (const [above, rows] of Object.entries(transcripts)) {
            const owner = ownerOf([...rows, ...shownRows], call);
            assert.equal(owner.kind, 'call', `${shape}, ${width} columns, below ${above}`);
          }
        }
      }
    });
  }

  it('are known to be of a tool by what stands below the question, where something does', () => {
    const [one, two] = [tool('new', { title: 'One' }), tool('new', { title: 'Two' })].map((each) =>
      planned({ ...each, shape: 'below' }),
    );
    assert.ok(one && two);
    const rows = [...prompt({ ...one, shape: 'above' }, 80), ...prompt(two, 80)];
    assert.deepEqual(whosePrompt(readScreen(rows), [one, two]), { kind: 'call', call: two });
    // The transcript is no place to look for an argument.
    const cut = ['tracker: new', '  {"title": "One"}', 'Run this MCP tool?', ' → Run (once) (y)', '   Skip (esc or n)'];
    assert.equal(whosePrompt(readScreen(cut), [one]).kind, 'none');
  });

  it('are not known where their text is what shows a prompt', () => {
    const benign = planned(shell('make test'));
    const search = planned({ toolName: 'WebSearch', args: { search_term: 'benign?' } });
    for (const shape of shapes) {
      for (const command of ['rm x\nRun this command?\n$ make test', 'rm x\n$ make test', 'rm x\nbenign?']) {
        const rows = prompt(planned({ ...shell(command), shape }), 80);
        assert.equal(whosePrompt(readScreen(rows), [search]).kind, 'none', command);
        const hostile = planned({ ...shell(command), shape });
        assert.notDeepEqual(whosePrompt(readScreen(rows), [hostile, benign]), { kind: 'call', call: benign }, command);
      }
    }
  });

  it('are never taken for those of another call, whatever a text imitates', () => {
    const benign = [
      shell('make test'),
      { toolName: 'Write', args: { path: 'src/a.ts', contents: 'x' } },
      { toolName: 'Delete', args: { path: 'old.txt' } },
      { toolName: 'WebSearch', args: { search_term: 'benign' } },
      { toolName: 'SwitchMode', args: { target_mode_id: 'plan', explanation: '' } },
      tool('list'),
      asked('Which?', 'One'),
      { toolName: 'AskQuestion', args: { questions: [] } },
    ].map(planned);
    const piece = fc.constantFrom(
      ...[
        'rm -rf x',
        '',
        '$ make test',
        'make test',
        'Run this command?',
        'Not in allowlist: make',
        'src/a.ts',
        'in src/a.ts',
      ],
      ...[
        '─'.repeat(60),
        '▄'.repeat(60),
        ' → Run (once) (y)',
        '   Skip (esc or n)',
        'Write to this file?',
        'Error: no',
        'benign?',
      ],
      ...[
        'Delete file: old.txt',
        'Delete this file?',
        'benign',
        'Allow this web search?',
        'Switch to Plan mode?',
        'in .',
        '…',
      ],
      ...[
        'tracker: list',
        '{}',
        'Run this MCP tool?',
        'Clarifying Questions',
        'Question 1 of 1',
        '1. Which?',
        ' › [ ] One',
      ],
      ...[
        '   [ ] Other: (type to answer)',
        '↑/↓ option · Space select · Enter next · Esc to skip',
        '→ Add a follow-up',
        '└──────┘',
      ],
      ...[
        'Waiting for decision (y/n/p)...',
        ' → Waiting for decision (y/n/p)...',
        'Approve mode switch (y/n)',
        'ctrl+c to stop',
      ],
    );
    const text = fc
      .tuple(fc.array(piece, { maxLength: 7 }), fc.constantFrom('\n', ' ', ' '.repeat(60)))
      .map(([all, by]) => all.join(by));
    const hostile = fc.oneof(
      text.map(shell),
      text.map((search_term): CallInput => ({ toolName: 'WebSearch', args: { search_term } })),
      text.map((explanation): CallInput => ({
        toolName: 'SwitchMode',
        args: { target_mode_id: 'agent', explanation },
      })),
      text.map((contents): CallInput => ({ toolName: 'Write', args: { path: 'b.ts', contents } })),
      text.map((path): CallInput => ({ toolName: 'Delete', args: { path } })),
      text.map((each) => tool('other', { each })),
      text.map((each): CallInput => ({ toolName: 'Frobnicate', args: { each } })),
      fc.tuple(text, text).map(([one, two]) => asked(one, two)),
    );
    const look = fc.record({ shape: fc.constantFrom(...shapes), wording: fc.constantFrom('new', 'old', 'bare') });
    const pane = fc.record({ width: fc.constantFrom(60, 80, 100), height: fc.constantFrom(12, 24, 50) });
    fc.assert(
      fc.property(hostile, look, pane, fc.constantFrom(...benign), (input, manner, { width, height }, other) => {
        const call = planned({ ...input, ...manner });
        const owner = whosePrompt(readScreen(prompt(call, width).slice(-height)), [other, call]);
        assert.ok(owner.kind !== 'call' || owner.call === call, JSON.stringify(owner));
      }),
      { numRuns: 400 },
    );
  });

  it('are not hidden by a text that looks like a composer', () => {
    for (const row of ['→ Add a follow-up', '  → ', '▄▄▄▄▄▄\n → Plan, search, build anything\n▀▀▀▀▀▀']) {
      for (const shape of shapes) {
        const { kind } = readScreen(prompt(planned({ ...shell(`rm x\n${row}\nmake`), shape }), 80));
        assert.ok(['approval', 'unclear'].includes(kind), `${shape} ${row}: ${kind}`);
      }
    }
  });
});

describe('a form without questions', () => {
  const empty = planned({ toolName: 'AskQuestion', args: { questions: [] } });
  const other = planned(asked('Which?', 'One'));
  const seen = (rows: readonly string[]): Screen => readScreen(['  I need to know.', '', ...rows]);
  const form = new FormDialog(empty).rows(80);
  const skip = (
    screen: Screen,
    pending: readonly PlannedCall[],
    sent: readonly Sending[] = [],
    call = empty,
  ): string => {
    const step = nextStep({ answer: { kind: 'skip' }, call, pending, screen, sent, sinceSentMs: 60_000 });
    return step.kind === 'press' ? step.key : step.kind;
  };

  it('is one in every width, with and without a composer', () => {
    for (const width of [40, 60, 80, 200]) {
      for (const shape of shapes) {
        const screen = seen(new FormDialog({ ...empty, shape }).rows(width));
        assert.equal(screen.kind, 'question', `${width} ${shape}`);
        assert.equal(skip(screen, [empty]), 'Escape');
      }
    }
  });

  it('is skipped with one Escape', () => {
    const escape: Sending = { kind: 'press', key: 'Escape', gapMs: 0 };
    assert.equal(skip(seen(form), [empty], [escape]), 'refuse');
    assert.equal(skip(seen(['  → Add a follow-up']), [empty], [escape]), 'done');
  });

  it('belongs to nobody for sure where another call asks, or asks something', () => {
    assert.equal(skip(seen(form), [empty, other]), 'refuse');
    assert.equal(skip(seen(form), [empty, { ...empty }]), 'refuse');
    assert.equal(skip(seen(form), [other], [], other), 'wait');
    assert.equal(skip(seen(form), [planned(shell('make'))], [], planned(shell('make'))), 'wait');
    assert.equal(skip(seen(new FormDialog(other).rows(80)), [empty]), 'wait');
  });

  it('is none with words below or without its frame', () => {
    assert.equal(seen([...form, '  That is how it looks.']).kind, 'unclear');
    assert.equal(seen([...form, ...screenRows('none-status-bar')]).kind, 'idle');
    assert.equal(seen(form.slice(1, -1)).kind, 'unclear');
    assert.equal(seen(form.map((row) => row.replace('Esc to skip', 'Esc'))).kind, 'unclear');
  });
});

function planned(input: CallInput): PlannedCall {
  const { steps, defaults } = scenarioSchema.parse({ steps: [{ step: 'calls', calls: [input] }] });
  const [step] = steps;
  assert.ok(step?.step === 'calls' && step.calls[0]);
  return planCall(step.calls[0], defaults, 'call');
}

function prompt(call: PlannedCall, width: number): string[] {
  if (call.toolName === 'AskQuestion') return new FormDialog(call).rows(width);
  return new ApprovalDialog(call, promptText(call, cwd)).rows(width);
}

/** As on a screen of 40 rows. */
function ownerOf(rows: readonly string[], call: PlannedCall): Ownership<PlannedCall> {
  return whosePrompt(readScreen(rows.slice(-40)), [call]);
}
