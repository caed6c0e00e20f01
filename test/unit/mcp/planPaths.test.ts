import assert from 'node:assert/strict';
import { pathsIn } from '../../../src/mcp/planPaths.ts';

describe('the paths of a plan', () => {
  it('are those in backticks with a folder and an ending, each once', () => {
    const plan = [
      '1. In `src/a.ts:12`, `./src/a.ts` and **`test/unit/a.test.ts`** rename `run()`; `app/[id]/page.tsx:3-9` too.',
      '2. Not `npm/yarn`, `config.tiers`, `README.md`, `and/or`, `https://x.org/a.html`, `a b/c.ts` nor src/b.ts.',
      '3. `../other/c.ts` lies elsewhere.',
    ].join('\n');
    assert.deepEqual(pathsIn(plan), ['src/a.ts', 'test/unit/a.test.ts', 'app/[id]/page.tsx']);
  });

  it('leave out what is to be created, wherever else it is named', () => {
    assert.deepEqual(pathsIn('`src/b.ts` (new) holds it; import `src/b.ts` in `src/a.ts`. **`src/c.ts`** (new)'), [
      'src/a.ts',
    ]);
  });
});
