import assert from 'node:assert/strict';
import { formatDuration } from '../../../src/vscode/duration.ts';

describe('duration', () => {
  it('grows from seconds to hours', () => {
    const shown = [-5, 0, 999, 59_999, 60_000, 185_000, 3_599_999, 3_720_000].map(formatDuration);
    assert.deepEqual(shown, ['0s', '0s', '0s', '59s', '1m 00s', '3m 05s', '59m 59s', '1h 02m']);
  });
});
