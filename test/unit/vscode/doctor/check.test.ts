import assert from 'node:assert/strict';
import { type Check, carryOut, within } from '../../../../src/vscode/doctor/check.ts';
import { type Finding, fine } from '../../../../src/vscode/doctor/finding.ts';
import { FakeClock } from '../../../support/fakes/clock.ts';
import { english } from '../../../support/sampleRequests.ts';

function check(look: () => Promise<Finding>): Check {
  return { id: 'x', title: 'X', group: 'machine', startsPrograms: true, limitMs: 5000, look };
}

describe('a check', () => {
  const context = { clock: new FakeClock(), l10n: english, isTrusted: true };

  it('gives what it finds, and leaves no timer', async () => {
    assert.deepEqual(
      await carryOut(
        check(() => Promise.resolve(fine('Works'))),
        context,
      ),
      fine('Works'),
    );
    assert.equal(context.clock.pending, 0);
  });

  it('says that nothing answered rather than hang', async () => {
    const finding = carryOut(
      check(() => new Promise(() => undefined)),
      context,
    );
    context.clock.advance(4999);
    assert.equal(context.clock.pending, 1);
    context.clock.advance(1);
    const { state, verdict } = await finding;
    assert.deepEqual([state, verdict], ['unknown', 'Did not answer within 5 s']);
  });

  it('that fails says why', async () => {
    const { state, found } = await carryOut(
      check(() => Promise.reject(new Error('EIO'))),
      context,
    );
    assert.deepEqual([state, found], ['unknown', ['EIO']]);
  });

  it('starts nothing in Restricted Mode', async () => {
    let looked = false;
    const looking = check(() => {
      looked = true;
      return Promise.resolve(fine('Works'));
    });
    const finding = await carryOut(looking, { ...context, isTrusted: false });
    assert.deepEqual([finding.verdict, looked], ['Not checked in Restricted Mode', false]);
    await carryOut({ ...looking, startsPrograms: false }, { ...context, isTrusted: false });
    assert.equal(looked, true);
  });

  it('that answers late is not waited for, and its failure is nobody’s', async () => {
    let fail: (error: Error) => void = () => undefined;
    const late = within(context.clock, 10, new Promise((_, reject) => (fail = reject)));
    context.clock.advance(10);
    assert.equal(await late, 'silent');
    fail(new Error('too late'));
  });
});
