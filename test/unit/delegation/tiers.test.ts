import assert from 'node:assert/strict';
import { candidatesFor } from '../../../src/delegation/tiers.ts';
import type { Tier } from '../../../src/protocol/model.ts';

const tiers: Tier[] = [
  { engine: 'codex', model: 'small', effort: 'max' },
  { engine: 'grok', model: 'g1', effort: 'high' },
  { engine: 'codex', model: 'big', effort: 'xhigh' },
  { engine: 'grok', model: 'g2', effort: 'high' },
  { engine: 'claude', model: 'opus', effort: 'max' },
];
const fastTiers: Tier[] = [
  { engine: 'codex', model: 'small', effort: 'low' },
  { engine: 'claude', model: 'sonnet', effort: 'low' },
];
const ladder = { tiers, fastTiers, allowCursorFallback: false };
const engines = (candidates: { engine: string }[]) => candidates.map(({ engine }) => engine);

describe('who may take a task', () => {
  it('is the rung asked for, then each other engine by its nearest rung', () => {
    assert.deepEqual(candidatesFor({ choice: { by: 'level', level: 3 } }, ladder), [
      { engine: 'codex', model: 'big', effort: 'xhigh', level: 3 },
      { engine: 'grok', model: 'g2', effort: 'high', level: 4 },
      { engine: 'claude', model: 'opus', effort: 'max', level: 5 },
    ]);
  });

  it('is found on the fast ladder alone when that was asked for', () => {
    assert.deepEqual(candidatesFor({ choice: { by: 'level', level: 2, fast: true } }, ladder), [
      { engine: 'claude', model: 'sonnet', effort: 'low', level: 2 },
      { engine: 'codex', model: 'small', effort: 'low', level: 1 },
    ]);
    assert.deepEqual(candidatesFor({ choice: { by: 'level', level: 3, fast: true } }, ladder), []);
  });

  it('is nobody for a level that does not exist', () => {
    for (const level of [0, 6, 1.5, NaN]) {
      assert.deepEqual(candidatesFor({ choice: { by: 'level', level } }, ladder), []);
    }
  });

  it('is Cursor as a last resort only where that is allowed', () => {
    const wish = { choice: { by: 'level', level: 1 } } as const;
    assert.ok(!engines(candidatesFor(wish, ladder)).includes('cursor'));
    assert.equal(engines(candidatesFor(wish, { ...ladder, allowCursorFallback: true })).at(-1), 'cursor');
  });

  it('is one engine alone when it was named, by its own rung', () => {
    assert.deepEqual(candidatesFor({ choice: { by: 'engine', engine: 'claude' } }, ladder), [
      { engine: 'claude', model: 'opus', effort: 'max', level: 5 },
    ]);
    assert.deepEqual(candidatesFor({ choice: { by: 'engine', engine: 'cursor' } }, ladder), [{ engine: 'cursor' }]);
  });

  it('is one engine alone when the caller named a model, which no other engine would know', () => {
    assert.deepEqual(candidatesFor({ choice: { by: 'level', level: 1 }, model: 'mine' }, ladder), [
      { engine: 'codex', model: 'mine', effort: 'max', level: 1 },
    ]);
  });

  it('takes the effort asked for along to whoever takes over', () => {
    const efforts = candidatesFor({ choice: { by: 'level', level: 2 }, effort: 'low' }, ladder).map((c) => c.effort);
    assert.deepEqual(efforts, ['low', 'low', 'low']);
  });
});
