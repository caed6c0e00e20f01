import assert from 'node:assert/strict';
import { runModeOf, runsEverything } from '../../../../src/cursor/session/runMode.ts';

const node = ['/usr/bin/node', '--use-system-ca', '/opt/cursor-agent/index.js'];

describe('run mode', () => {
  const cases: [args: string[], expected: boolean][] = [
    [[], false],
    [['fix the build'], false],
    [['--force'], true],
    [['-f'], true],
    [['--yolo'], true],
    [['--force=true'], true],
    [['-f=1'], true],
    [['--yolo=yes'], true],
    [['--force=false'], false],
    [['--force=0'], false],
    [['--yolo=no'], false],
    [['-f=OFF'], false],
    [['--force='], true],
    [['--force', '--force=false'], false],
    [['--force=off', '--yolo'], true],
    [['--', '--force'], false],
    [['--force', '--', 'x'], true],
    [['please --force it'], false],
    [['--forceful'], false],
    [['--no-force'], false],
    [['-force'], false],
    [['--model', 'gpt-5', '--resume', 'id', '-f'], true],
  ];
  for (const [args, expected] of cases) {
    it(`${args.join(' ') || 'no argument'}: ${expected ? 'everything runs' : 'the person is asked'}`, () => {
      assert.equal(runsEverything([...node, ...args]), expected);
    });
  }

  it('does not take the program for an argument', () => {
    assert.equal(runsEverything(['--force']), false);
    assert.equal(runsEverything(['--', '--force']), true);
    assert.equal(runsEverything([]), false);
  });

  it('takes the store first, then the arguments', () => {
    const mode = { runEverything: false, saidBy: undefined, approvalMode: 'allowlist' };
    assert.deepEqual(runModeOf({}), mode);
    assert.deepEqual(runModeOf({ isRunEverything: false }, node), mode);
    assert.deepEqual(runModeOf({ isRunEverything: true }, node), { ...mode, runEverything: true, saidBy: 'store' });
    assert.deepEqual(runModeOf({}, [...node, '-f']), { ...mode, runEverything: true, saidBy: 'arguments' });
    assert.equal(runModeOf({ approvalMode: 'auto-review' }).approvalMode, 'autoReview');
    assert.equal(runModeOf({ approvalMode: 'unrestricted' }).approvalMode, 'unrestricted');
    assert.equal(runModeOf({ approvalMode: 'constructor' }).approvalMode, 'other');
  });
});
