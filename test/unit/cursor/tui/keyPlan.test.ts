import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Delivering, nextStep } from '../../../../src/cursor/tui/keyPlan.ts';
import { readScreen, type Screen } from '../../../../src/cursor/tui/prompts.ts';
import { gaps, type Sending, type Step } from '../../../../src/cursor/tui/steps.ts';
import type { Key } from '../../../../src/protocol/key.ts';
import type { Answer } from '../../../../src/protocol/request.ts';
import { screen } from './screens.ts';
import { FormModel, type Interference, type ModelQuestion } from './terminalModel.ts';

interface Call {
  toolName: string;
  args: unknown;
}
const make: Call = { toolName: 'Shell', args: { command: 'make deploy' } };
const approve: Answer = { kind: 'approve' };
const reject: Answer = { kind: 'reject', reason: '' };
const explained: Answer = { kind: 'reject', reason: 'use the staging target\n first, then ask again' };
const escape: Sending = { kind: 'press', key: 'Escape', gapMs: 0 };
const idle = screen('none-background');
/** Long after the last key. */
const late = 60_000;

function step(answer: Answer, seen: Screen, given: Partial<Delivering<Call>> = {}): Step {
  const call = given.call ?? make;
  return nextStep({ answer, call, pending: [call], screen: seen, sent: [], sinceSentMs: 0, ...given });
}

function kindOf(given: Step): string {
  if (given.kind === 'press') return given.key;
  return given.kind === 'refuse' ? given.reason : given.kind;
}

describe('approving', () => {
  for (const name of ['shell', 'shell-moved', 'shell-wrapped', 'boxed', 'decision-composer', 'with-error']) {
    it(`presses y on ${name}`, () => {
      const command = name === 'shell-wrapped' ? /rsync/ : undefined;
      if (command) assert.equal(kindOf(step(approve, screen(name))), 'wait');
      else assert.deepEqual(step(approve, screen(name)), { kind: 'press', key: 'y', gapMs: 0 });
    });
  }

  it('presses y once and is done, even while the prompt is still shown', () => {
    const sent: Sending[] = [{ kind: 'press', key: 'y', gapMs: 0 }];
    assert.deepEqual(step(approve, screen('shell'), { sent, sinceSentMs: late }), { kind: 'done', reasonSent: true });
  });

  it('waits while the own prompt is not shown, and refuses where several calls fit', () => {
    for (const name of [
      'write',
      'delete',
      'question',
      'trust',
      'none-quoted-idle',
      'none-draft-of-prompt',
      'decision',
    ]) {
      assert.equal(kindOf(step(approve, screen(name))), 'wait', name);
    }
    assert.equal(kindOf(step(approve, screen('shell'), { pending: [make, { ...make }] })), 'ambiguous');
  });

  it('refuses while the reason box is open', () => {
    assert.equal(kindOf(step(approve, screen('reason-box'))), 'changedByPerson');
  });
});

describe('rejecting', () => {
  it('presses the key that the prompt offers', () => {
    assert.equal(kindOf(step(reject, screen('shell'))), 'Escape');
    assert.equal(kindOf(step(reject, screen('decision-composer'))), 'Escape');
    const call = { toolName: 'Delete', args: { path: 'notes/old.md' } };
    assert.equal(kindOf(step(reject, screen('delete'), { call })), 'n');
    const mode = { toolName: 'SwitchMode', args: {} };
    assert.equal(kindOf(step(reject, screen('mode-switch'), { call: mode })), 'Escape');
    assert.equal(kindOf(step(reject, screen('mode-switch-composer'), { call: mode })), 'Escape');
    const file = { toolName: 'Write', args: { path: 'src/pages/home.ts' } };
    assert.equal(kindOf(step(reject, screen('write-old-reject'), { call: file })), 'notOffered');
  });

  it('presses Enter in the reason box, and not at once', () => {
    for (const name of ['reason-box', 'reason-box-old', 'reason-box-narrow']) {
      assert.deepEqual(step(reject, screen(name), { sent: [escape] }), {
        kind: 'press',
        key: 'Enter',
        gapMs: gaps.beforeEnter,
      });
    }
  });

  it('types the reason in one line, then Enter once it is shown', () => {
    const typed = step(explained, screen('reason-box'), { sent: [escape] });
    assert.deepEqual(typed, {
      kind: 'type',
      text: 'use the staging target first, then ask again',
      gapMs: gaps.afterEscape,
    });
    assert.ok(typed.kind === 'type');
    const sent: Sending[] = [escape, typed];
    assert.equal(kindOf(step(explained, screen('reason-box'), { sent })), 'wait');
    assert.equal(kindOf(step(explained, screen('shell'), { sent })), 'wait');
    assert.equal(kindOf(step(explained, screen('reason-typed'), { sent })), 'Enter');
    assert.equal(kindOf(step({ ...explained, reason: 'another' }, screen('reason-typed'), { sent })), 'wait');
    assert.equal(kindOf(step(explained, screen('reason-box'), { sent, sinceSentMs: late })), 'noEffect');
  });

  it('is done when no reason box appears, and says that the reason was not sent', () => {
    assert.equal(kindOf(step(reject, idle, { sent: [escape] })), 'wait');
    assert.deepEqual(step(reject, idle, { sent: [escape], sinceSentMs: late }), { kind: 'done', reasonSent: true });
    assert.deepEqual(step(explained, idle, { sent: [escape], sinceSentMs: late }), { kind: 'done', reasonSent: false });
  });

  it('never presses Escape a second time', () => {
    assert.equal(kindOf(step(reject, screen('shell'), { sent: [escape] })), 'wait');
    assert.equal(kindOf(step(reject, screen('shell'), { sent: [escape], sinceSentMs: late })), 'noEffect');
  });

  it('goes on where the person has opened the reason box, unless they have typed', () => {
    assert.equal(kindOf(step(reject, screen('reason-box'))), 'Enter');
    assert.equal(kindOf(step(reject, screen('reason-typed'))), 'changedByPerson');
    assert.equal(kindOf(step(reject, screen('reason-typed'), { sent: [escape] })), 'changedByPerson');
  });

  it('types the reason into a box that was open already, and finishes it', () => {
    const typed = step(explained, screen('reason-box'));
    assert.ok(typed.kind === 'type');
    assert.equal(kindOf(step(explained, screen('reason-box'), { sent: [typed] })), 'wait');
    assert.equal(kindOf(step(explained, screen('reason-typed'), { sent: [typed] })), 'Enter');
    assert.equal(kindOf(step({ ...explained, reason: 'another' }, screen('reason-typed'), { sent: [typed] })), 'wait');
  });

  it("leaves another call's reason box alone", () => {
    const call = { toolName: 'Shell', args: { command: 'make test' } };
    const given = { call, pending: [call, make], sent: [escape] };
    assert.equal(kindOf(step(reject, screen('reason-box'), given)), 'wait');
  });

  it('refuses a reason with control characters', () => {
    for (const reason of ['\u001b[Z', 'a\u0000', '\u009b', '\ud800', '\u007f']) {
      assert.equal(kindOf(step({ kind: 'reject', reason }, screen('shell'))), 'badText');
    }
  });
});

const asked = (...questions: ModelQuestion[]): Call => ({
  toolName: 'AskQuestion',
  args: {
    questions: questions.map(({ options, ...rest }) => ({ ...rest, options: options.map((label) => ({ label })) })),
  },
});
const answers = (...given: [number[], string?][]): Answer => ({
  kind: 'answers',
  answers: given.map(([options, other = '']) => ({ options, other })),
});

/** Runs the loop against the model. `interference` is what happens before each step. */
function play(
  model: FormModel,
  call: Call,
  answer: Answer,
  interference: Interference[] = [],
): { end: Step; sent: Sending[] } {
  const sent: Sending[] = [];
  let sinceSentMs = 0;
  for (let turn = 0; turn < 5000; turn += 1) {
    const happens = interference[turn] ?? 'nothing';
    const keys: Partial<Record<Interference, Key>> = { up: 'Up', down: 'Down', space: 'Space' };
    const key = keys[happens];
    if (key) model.press(key);
    const next = nextStep({ answer, call, pending: [call], screen: readScreen(model.rows()), sent, sinceSentMs });
    if (next.kind === 'done' || next.kind === 'refuse') return { end: next, sent };
    sinceSentMs = next.kind === 'wait' ? sinceSentMs + next.ms : 0;
    if (next.kind === 'wait') continue;
    sent.push(next);
    if (happens !== 'drop') model.receive(next);
  }
  throw new Error('The loop does not end.');
}

const keysOf = (sent: Sending[]): string[] => sent.map((each) => (each.kind === 'press' ? each.key : `"${each.text}"`));

describe('answering questions', () => {
  const colours: ModelQuestion = { prompt: 'Which colour?', options: ['red', 'green', 'blue'], allowMultiple: false };
  const parts: ModelQuestion = { prompt: 'Which parts?', options: ['roof', 'wall', 'door'], allowMultiple: true };

  it('moves from the marked row, chooses, and goes on', () => {
    const model = new FormModel([colours, parts]);
    model.marked = 2;
    const { sent, end } = play(model, asked(colours, parts), answers([[1]], [[0, 2]]));
    assert.deepEqual(keysOf(sent), ['Up', 'Space', 'Enter', 'Space', 'Down', 'Down', 'Space', 'Enter']);
    assert.equal(end.kind, 'done');
    assert.deepEqual([...(model.checked[1] ?? [])], [0, 2]);
    assert.ok(sent.every(({ gapMs }, index) => index === 0 || gapMs >= gaps.key));
  });

  it('types into the row behind the options, without Space', () => {
    const model = new FormModel([colours]);
    const { sent } = play(model, asked(colours), answers([[], 'dark  grey\tor so']));
    assert.deepEqual(keysOf(sent), ['Down', 'Down', 'Down', '"dark grey or so"', 'Enter']);
    assert.deepEqual(model.other, ['dark grey or so']);
    const both = new FormModel([parts]);
    play(both, asked(parts), answers([[1], 'cellar']));
    assert.deepEqual([[...(both.checked[0] ?? [])], both.other], [[1], ['cellar']]);
  });

  it('takes the person’s marks away where they are not the answer', () => {
    const model = new FormModel([parts]);
    model.checked[0]?.add(0).add(1);
    const { sent } = play(model, asked(parts), answers([[1]]));
    assert.deepEqual(keysOf(sent), ['Space', 'Down', 'Enter']);
    assert.deepEqual([...(model.checked[0] ?? [])], [1]);
  });

  it('answers by index whatever the labels are', () => {
    const odd = [
      'Enter',
      'C-c',
      '-n',
      'a;',
      'same',
      'same',
      '',
      'Other: (type to answer)',
      '[x] Space (y)',
      '› [ ] first',
    ];
    const question = { prompt: 'Which?', options: odd, allowMultiple: false };
    for (const index of odd.keys()) {
      const model = new FormModel([question]);
      assert.equal(play(model, asked(question), answers([[index]])).end.kind, 'done', odd[index]);
      assert.deepEqual([...(model.checked[0] ?? [])], [index]);
    }
  });

  it('refuses where rows are out of sight, and where options cannot be told apart from rows', () => {
    const many = {
      prompt: 'Which?',
      options: Array.from({ length: 200 }, (_, at) => `n${String(at)}`),
      allowMultiple: false,
    };
    const model = new FormModel([many]);
    model.marked = 190;
    const seen = (rows: number): Screen => readScreen(model.rows().slice(-rows));
    assert.equal(kindOf(step(answers([[180]]), seen(40), { call: asked(many) })), 'Up');
    assert.equal(kindOf(step(answers([[3]]), seen(40), { call: asked(many) })), 'rowNotVisible');
    model.marked = 0;
    assert.equal(kindOf(step(answers([[180]]), seen(40), { call: asked(many) })), 'rowNotVisible');
    const split = { prompt: 'Which?', options: ['one\n[ ] two', 'three'], allowMultiple: false };
    assert.equal(
      kindOf(step(answers([[1]]), readScreen(new FormModel([split]).rows()), { call: asked(split) })),
      'wait',
    );
  });

  it('refuses answers that do not fit the questions', () => {
    const seen = readScreen(new FormModel([colours]).rows());
    const bad = [
      answers(),
      answers([[]]),
      answers([[3]]),
      answers([[-1]]),
      answers([[0.5]]),
      answers([[0, 1]]),
      answers([[0], 'x']),
    ];
    for (const answer of bad) assert.equal(kindOf(step(answer, seen, { call: asked(colours) })), 'badAnswer');
    assert.equal(kindOf(step(answers([[], '\u001b']), seen, { call: asked(colours) })), 'badText');
    assert.equal(kindOf(step(answers(), seen, { call: asked() })), 'badAnswer');
    const none = { prompt: 'Anything?', options: [], allowMultiple: false };
    assert.equal(play(new FormModel([none]), asked(none), answers([[], 'no'])).end.kind, 'done');
  });

  it('refuses where somebody types into the form or goes to another question', () => {
    const typed = new FormModel([colours]);
    typed.other[0] = 'pink';
    assert.equal(kindOf(play(typed, asked(colours), answers([[0]])).end), 'changedByPerson');
    const moved = new FormModel([colours, parts]);
    moved.index = 1;
    const played = play(moved, asked(colours, parts), answers([[0]], [[0]]));
    assert.deepEqual([kindOf(played.end), played.sent], ['changedByPerson', []]);
    const checked = new FormModel([colours]);
    checked.checked[0]?.add(2);
    const withText = play(checked, asked(colours), answers([[], 'pink']));
    assert.deepEqual([kindOf(withText.end), keysOf(withText.sent).includes('Enter')], ['changedByPerson', false]);
  });

  it('presses Space on a row once: somebody who takes the mark away again is not fought', () => {
    const place = { question: 0, row: 0 };
    const sent: Sending[] = [
      { kind: 'press', key: 'Space', gapMs: 0, at: place },
      { kind: 'press', key: 'Up', gapMs: gaps.key, at: { question: 0, row: 1 } },
    ];
    const seen = readScreen(new FormModel([parts]).rows());
    assert.equal(kindOf(step(answers([[0]]), seen, { call: asked(parts), sent })), 'changedByPerson');
  });

  it('skips with one Escape', () => {
    const model = new FormModel([colours, parts]);
    const { sent, end } = play(model, asked(colours, parts), { kind: 'skip' });
    assert.deepEqual([keysOf(sent), end.kind, model.skipped], [['Escape'], 'done', true]);
    const given = { call: asked(colours), sent: [escape], sinceSentMs: late };
    assert.equal(kindOf(step({ kind: 'skip' }, readScreen(new FormModel([colours]).rows()), given)), 'noEffect');
    assert.equal(kindOf(step({ kind: 'skip' }, screen('shell'))), 'badAnswer');
  });
});

describe('the vocabulary', () => {
  it('has neither Tab nor Shift+Tab', () => {
    const forbidden: Extract<Key, 'Tab' | 'BTab' | 'S-Tab' | 'Shift+Tab' | '\t'>[] = [];
    assert.deepEqual(forbidden, []);
    // @ts-expect-error -- no step can be made of it
    const tab: Key = 'Tab';
    assert.ok(tab);
  });
});

describe('any sequence of screens', () => {
  const names = [
    'shell',
    'write',
    'delete',
    'mcp',
    'reason-box',
    'reason-box-old',
    'reason-typed',
    'question',
    'question-other',
  ];
  const quiet = ['question-second', 'mode-switch', 'decision', 'trust', 'none-quoted-idle', 'none-draft-of-prompt'];
  const seen = fc.oneof(
    fc.constantFrom(...[...names, ...quiet].map(screen)),
    fc.array(fc.string(), { maxLength: 5 }).map(readScreen),
  );
  const branch: ModelQuestion = {
    prompt: 'Which branch is to be released?',
    options: ['main', 'next'],
    allowMultiple: false,
  };
  const calls = [make, { toolName: 'Write', args: { path: 'src/pages/home.ts' } }, asked(branch)];
  const answer = fc.oneof(
    fc.constantFrom<Answer>(approve, { kind: 'skip' }, answers([[0]]), answers([[1]]), answers([[], 'another\tone'])),
    fc.string({ unit: 'binary' }).map<Answer>((reason) => ({ kind: 'reject', reason })),
    fc.string({ unit: 'binary' }).map((other) => answers([[], other])),
  );

  it('sends Escape once at most, Enter only on the row that is meant, and no control characters', () => {
    const screens = fc.array(fc.tuple(seen, fc.nat(5000)), { maxLength: 25 });
    fc.assert(
      fc.property(answer, fc.constantFrom(...calls), screens, (given, call, all) => {
        const sent: Sending[] = [];
        for (const [shown, sinceSentMs] of all) {
          const next = step(given, shown, { call, pending: calls, sent, sinceSentMs });
          if (next.kind !== 'press' && next.kind !== 'type') continue;
          check(next, shown, given, call);
          sent.push(next);
        }
        assert.ok(sent.filter((each) => each.kind === 'press' && each.key === 'Escape').length <= 1);
        assert.ok(sent.filter((each) => each.kind === 'press' && each.key === 'y').length <= 1);
        for (const [index, each] of sent.entries()) {
          const before = sent[index - 1];
          if (before?.kind === 'press' && before.key === 'Escape') assert.ok(each.gapMs > 150);
          if (index > 0 && each.kind === 'press' && each.key === 'Enter') assert.ok(each.gapMs >= 550);
        }
      }),
      { numRuns: 2000 },
    );
  });

  function check(next: Sending, shown: Screen, given: Answer, call: Call): void {
    if (next.kind === 'type') {
      assert.doesNotMatch(next.text, /\p{Cc}/u);
      if (given.kind === 'answers') assert.ok(shown.kind === 'question' && shown.picker.rows.at(-1)?.marked);
      else assert.equal(shown.kind, 'reasonBox');
      return;
    }
    if (next.key === 'y') assert.ok(given.kind === 'approve' && shown.kind === 'approval' && call !== calls[2]);
    if (next.key !== 'Enter' && next.key !== 'Space') return;
    if (given.kind !== 'answers') {
      assert.ok(next.key === 'Enter' && (shown.kind === 'reasonBox' || shown.kind === 'draft'));
      return;
    }
    assert.ok(shown.kind === 'question');
    const intended = given.answers[0]?.options[0] ?? branch.options.length;
    assert.equal(
      shown.picker.rows.findIndex(({ marked }) => marked),
      intended,
    );
    assert.ok(next.key === 'Space' || intended === branch.options.length || shown.picker.rows[intended]?.checked);
  }

  it('ends with exactly the answer in the form, or without it, whatever goes wrong meanwhile', () => {
    const label = fc.oneof(fc.constantFrom('same', 'Enter', 'a;', '-n', '[ ] x', ''), fc.string({ maxLength: 8 }));
    const question = fc.record({
      prompt: fc.constantFrom('Which?', 'Sure (y)?', 'Of 1'),
      options: fc.array(label, { minLength: 1, maxLength: 6 }),
      allowMultiple: fc.boolean(),
    });
    const disturbed = fc.array(
      fc.constantFrom<Interference>('nothing', 'nothing', 'nothing', 'drop', 'up', 'down', 'space'),
    );
    const form = fc.array(fc.tuple(question, fc.nat(1000)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(form, fc.nat(6), disturbed, fc.boolean(), (items, marked, interference, isCalm) => {
        const questions = items.map(([each]) => each);
        const wanted = items.map(([{ options, allowMultiple }, seed]) =>
          allowMultiple ? [...new Set([seed % options.length, (seed >> 3) % options.length])] : [seed % options.length],
        );
        const model = new FormModel(questions);
        model.marked = Math.min(marked, questions[0]?.options.length ?? 0);
        const { end, sent } = play(
          model,
          asked(...questions),
          answers(...wanted.map((each) => [each] as [number[]])),
          isCalm ? [] : interference,
        );
        assert.ok(sent.every((each) => each.kind === 'press' && each.key !== 'Escape'));
        const chosen = model.checked.map((checked) => [...checked].sort());
        // What an Enter left behind is what was wanted.
        assert.deepEqual(chosen.slice(0, model.index), wanted.map((each) => [...each].sort()).slice(0, model.index));
        const isReadable = questions.every(({ options }) => options.every((each) => !/\s{2}|^\s|\s$/.test(each)));
        if (isCalm && isReadable && end.kind !== 'done') assert.equal(kindOf(end), 'done', JSON.stringify(end));
      }),
      { numRuns: 400 },
    );
  });
});
