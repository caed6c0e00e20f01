import assert from 'node:assert/strict';
import { rowsOf } from '../../../../src/vscode/answerNext/rowText.ts';
import { showRequest } from '../../../../src/vscode/answerNext/requestRows.ts';
import { command, english, permission, question } from '../../../support/sampleRequests.ts';

describe('a request as rows', () => {
  it('has the safe choice first, and all that is asked', () => {
    const shown = showRequest(
      command('a', 'make $(date)\n  all', { session: { ...command('a', '').session, title: 'Ledger' } }),
      english,
    );
    assert.equal(shown.title, 'payments-api: Run a command');
    assert.deepEqual(shown.choices, ['later', 'approve', 'reject', 'rejectWithReason']);
    assert.deepEqual(shown.around, ['showTerminal']);
    assert.deepEqual(shown.groups[0], { heading: 'Command', rows: ['make $\u2060(date)', '\u00a0\u00a0all'] });
    const essential = shown.groups.slice(0, shown.essential).flatMap(({ rows }) => rows);
    assert.ok(essential.includes('in /home/me/payments-api'));
    assert.ok(essential.includes('payments-api · Ledger · tmux %3'));
    assert.ok(shown.isWhole);
  });

  it('marks what is hidden, and warns of it', () => {
    const { groups } = showRequest(command('a', 'rm \u202e x\u0430'), english);
    const rows = groups.flatMap((group) => group.rows);
    assert.ok(rows.includes('rm ⟦\\u{202e}⟧ x⟦\\u{430}⟧'));
    assert.ok(rows.some((row) => row.startsWith('$(warning) Hidden characters')));
  });

  it('lets nothing be approved that is not shown whole', () => {
    const long = showRequest(command('a', 'x'.repeat(70_000)), english);
    assert.equal(long.isWhole, false);
    const contents = 'x\n'.repeat(40_000);
    assert.equal(showRequest(permission('b', { kind: 'write', path: 'a', contents }), english).isWhole, false);
  });

  it('shows the questions of a form, and only lets an empty one be skipped', () => {
    const form = question('a', [{ prompt: 'Which?', options: ['This', 'That'], allowsMultiple: false }]);
    const shown = showRequest(form, english);
    assert.deepEqual(shown.choices, ['later', 'answer', 'skip']);
    assert.deepEqual(shown.groups[0], { heading: 'Question 1', rows: ['Which?', '• This', '• That'] });
    assert.deepEqual(showRequest(question('b', []), english).choices, ['later', 'skip']);
  });

  it('says why an answer did not arrive, and leaves to the card what must be looked at first', () => {
    const notDelivered = { state: 'notDelivered', why: 'Copy mode.', screen: ['$ _'] } as const;
    const again = showRequest(command('a', 'x', { delivery: { ...notDelivered, retry: 'again' } }), english);
    assert.deepEqual(again.groups.slice(0, 2), [
      { heading: 'Not delivered', rows: ['$(error) Copy mode.'] },
      { heading: 'Its screen', rows: ['$ _'] },
    ]);
    assert.ok(again.choices.includes('approve'));
    const anyway = showRequest(command('a', 'x', { delivery: { ...notDelivered, retry: 'anyway' } }), english);
    assert.deepEqual(anyway.choices, ['later', 'showCard']);
  });
});

describe('rows of text', () => {
  it('lose no character', () => {
    const text = `${'W'.repeat(100)}${'i'.repeat(100)}漢字🙂 ${'x y'.repeat(40)}`;
    const rows = rowsOf([{ text }]);
    assert.ok(rows.length > 4);
    assert.equal(rows.map((row) => row.replace(/^↪ /, '').replaceAll('\u00a0', ' ')).join(''), text);
    assert.ok(rows.slice(1).every((row) => row.startsWith('↪ ')));
    assert.ok((rows[0] ?? '').length < 40, 'wide letters take more room');
  });

  it('keep the layout of lines, with what stands before the first alone', () => {
    assert.deepEqual(rowsOf([{ text: 'a\n\tb' }], '$(x) '), ['$(x) a', '$(x) \u00a0\u00a0\u00a0\u00a0b']);
  });
});
