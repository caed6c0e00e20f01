import assert from 'node:assert/strict';
import type { Card } from '../../../../src/protocol/panel.ts';
import { viewMessageSchema } from '../../../../src/protocol/panel.ts';
import type { Delivery, PendingRequest, RequestSubject } from '../../../../src/protocol/request.ts';
import { needsAnswer, sessionsOf } from '../../../../src/vscode/waiting/cardModel.ts';
import { viewState } from '../../../../src/vscode/waiting/viewState.ts';
import {
  busyHour,
  command,
  english,
  inSession,
  permission,
  question,
  viewInput,
} from '../../../support/sampleRequests.ts';

const nothing = { given: () => undefined, refusal: () => undefined };
const plain = (parts: readonly { text: string }[]) => parts.map(({ text }) => text).join('');
const cardOf = (request: PendingRequest): Card => {
  const [card] = sessionsOf([request], nothing, english).flatMap(({ cards }) => cards);
  assert.ok(card);
  return card;
};
const textOf = (card: Card) => card.blocks.map(({ lines }) => lines.map(({ text }) => plain(text)).join('\n'));

describe('the model of a card', () => {
  const kinds: readonly [RequestSubject, string, string[]][] = [
    [{ kind: 'command', command: 'ls', folder: undefined }, 'Run a command', ['ls']],
    [{ kind: 'write', path: 'a.ts', contents: 'x\ny' }, 'Write a file', ['a.ts', 'x\ny']],
    [
      { kind: 'replace', path: 'a.ts', before: 'a\nb\nc', after: 'a\nB\nc' },
      'Edit a file',
      ['a.ts', '  a\n- b\n+ B\n  c'],
    ],
    [{ kind: 'patch', paths: ['a', 'b'], patch: '@@\n-x\n+y' }, 'Edit files', ['a', 'b', '@@\n-x\n+y']],
    [{ kind: 'delete', path: 'a.ts' }, 'Delete a file', ['a.ts']],
    [{ kind: 'fetch', url: 'https://a.b/c' }, 'Fetch a page', ['https://a.b/c']],
    [{ kind: 'search', query: 'q' }, 'Search the web', ['q']],
    [{ kind: 'mcpTool', server: 's', tool: 't', input: '{"a":1}' }, 'Use an MCP tool', ['s · t', '{\n  "a": 1\n}']],
    [{ kind: 'modeSwitch', mode: 'plan', explanation: 'why' }, 'Switch the mode', ['plan', 'why']],
    [{ kind: 'other', tool: 'new', input: 'not JSON' }, 'Use a tool', ['new', 'not JSON']],
  ];
  for (const [subject, title, texts] of kinds) {
    it(`says what exactly is asked: ${subject.kind}`, () => {
      const card = cardOf(permission('a', subject));
      assert.equal(card.title, title);
      assert.deepEqual(textOf(card), texts);
    });
  }

  it('gives the view messages of the agreed form', () => {
    assert.deepEqual(viewMessageSchema.parse(viewState(busyHour(), english)), viewState(busyHour(), english));
  });

  it('groups by session, in the order of the requests', () => {
    const web = inSession('s2', 'web', 'Dates', 'Sallyport terminal');
    const sessions = sessionsOf([command('a', 'x'), command('b', 'y', web), command('c', 'z')], nothing, english);
    assert.deepEqual(
      sessions.map(({ folder, title, where, icon, cards }) => [
        ...[plain(folder), plain(title), plain(where), icon],
        cards.map(({ id }) => id).join(),
      ]),
      [
        ['payments-api', 'Migrate ledger tables', 'tmux %3', 'terminal', 'a,c'],
        ['web', 'Dates', 'Sallyport terminal', 'window', 'b'],
      ],
    );
  });

  it('names the folder shortly inside the session’s, wholly outside of it', () => {
    const remark = (folder: string | undefined) =>
      cardOf(permission('a', { kind: 'command', command: 'ls', folder })).remarks.map(plain);
    assert.deepEqual(remark('/home/me/payments-api/services'), ['in services']);
    assert.deepEqual(remark('/home/me/other'), ['in /home/me/other']);
    assert.deepEqual(remark(undefined), ['in /home/me/payments-api']);
  });

  it('marks what is hidden, in any field, and warns', () => {
    const asked = cardOf(question('q', [{ prompt: 'A\u202e?', options: ['x\u200b'], allowsMultiple: false }]));
    assert.deepEqual(asked.questions?.[0]?.prompt, [{ text: 'A' }, { text: '\\u{202e}', hidden: true }, { text: '?' }]);
    assert.equal(asked.warnings.length, 1);
    const fields = [{ name: 'f', value: '\u001b[2K' }];
    assert.equal(cardOf(command('a', 'ls', { fields })).warnings.length, 1);
    assert.deepEqual(cardOf(command('a', 'ls')).warnings, []);
  });

  it('warns of a host whose name is not what it looks like, and of a version that was not checked', () => {
    const fetch = cardOf(permission('a', { kind: 'fetch', url: 'https://\u0430\u0440\u0440\u04cf\u0435.com/x' }));
    assert.match(fetch.warnings.join(), /really xn--/);
    const { session } = command('a', 'ls');
    const old = cardOf(command('a', 'ls', { session: { ...session, version: { text: '1\u202e', isChecked: false } } }));
    assert.match(old.warnings.join(), /1\\u\{202e\}/);
  });

  it('leaves the middle out of what is very long, says so, and lets only what a diff shows be approved', () => {
    const contents = `${'a'.repeat(100_000)}end`;
    const write = cardOf(permission('a', { kind: 'write', path: 'p', contents }));
    assert.equal(write.canApprove, true);
    assert.match(textOf(write)[1] ?? '', /^a+\n\[40003 characters are left out here\]\na+end$/);
    assert.equal(cardOf(command('a', contents)).canApprove, false);
    assert.equal(cardOf(command('a', 'a'.repeat(50_000))).canApprove, true);
  });

  it('lets nothing be approved of which fields are left out', () => {
    const field = (value: string) => ({ name: 'env', value });
    const withFields = (fields: PendingRequest['fields']) => cardOf(command('a', 'ls', { fields }));
    assert.equal(withFields([field('x'.repeat(60_000))]).canApprove, true);
    assert.equal(withFields([field(`${'x'.repeat(60_000)}end`)]).canApprove, false);
    const many = withFields(Array.from({ length: 5000 }, (_, index) => field(String(index))));
    assert.equal(many.canApprove, false);
    assert.ok(many.fields.length < 400);
    assert.match(JSON.stringify(many.fields), /4700 more fields are left out here/);
  });

  const failed: Delivery = { state: 'notDelivered', why: 'w', screen: ['a\u001b'], retry: 'again' };
  const stages: readonly [string, PendingRequest, string | undefined, boolean][] = [
    ['open', command('a', 'x'), 'open', true],
    ['later', command('a', 'x', { answerable: { state: 'later', why: 'w' } }), 'later', false],
    ['unreachable', command('a', 'x', { answerable: { state: 'no', why: 'w' } }), 'closed', true],
    ['maybe', command('a', 'x', { certainty: 'mayBeWaiting', answerable: { state: 'no', why: 'w' } }), 'closed', false],
    ['sending', command('a', 'x', { delivery: { state: 'sending' } }), 'sending', false],
    ['failed', command('a', 'x', { delivery: failed }), 'failed', true],
    ['accepted', command('a', 'x', { delivery: { state: 'accepted' } }), undefined, false],
    ['running', command('a', 'x', { delivery: { state: 'running' } }), undefined, false],
    ['confirmed', command('a', 'x', { delivery: { state: 'confirmed' } }), undefined, false],
  ];
  for (const [name, request, stage, counts] of stages) {
    it(`tells where it stands and whether it counts: ${name}`, () => {
      const cards = sessionsOf([request], nothing, english).flatMap((session) => session.cards);
      assert.deepEqual([cards[0]?.stage.kind, needsAnswer(request)], [stage, counts]);
    });
  }

  it('gives back what was answered, so that it can be sent again', () => {
    const memory = { given: () => ({ kind: 'approve' }) as const, refusal: () => 'no' };
    const [session] = sessionsOf([command('a', 'x', { delivery: failed })], memory, english);
    assert.deepEqual(session?.cards[0]?.stage, {
      kind: 'failed',
      why: [{ text: 'w' }],
      screen: [[{ text: 'a' }, { text: '\\x1b', hidden: true }]],
      retry: 'again',
      given: { kind: 'approve' },
    });
    assert.equal(session.cards[0].refusal, 'no');
  });

  it('tells of answers, newest first, each once', () => {
    const { history } = viewState(busyHour(), english);
    assert.deepEqual(
      history.slice(0, 4).map(({ text, ticking, tone }) => [plain(text), ticking, tone]),
      [
        ['Approved · git push origin main', true, 'good'],
        ['Rejected · rm -rf node_modules', false, 'neutral'],
        ['Answered in the terminal · Write .env', false, 'neutral'],
        ['Not delivered · npm test', false, 'bad'],
      ],
    );
    const twice = viewInput([command('h', 'x', { delivery: { state: 'confirmed' } })], {
      history: [{ id: 'h', atMs: 1, what: 'x\u202e', session: 's', answer: 'approve', end: 'confirmed' }],
    });
    assert.equal(viewState(twice, english).history.length, 1);
    assert.equal(plain(viewState({ ...twice, requests: [] }, english).history[0]?.text ?? []), 'Approved · x\\u{202e}');
  });
});
