import assert from 'node:assert/strict';
import { settle, type SettleFacts } from '../../../src/requests/settle.ts';

const asking: SettleFacts = {
  runsEverything: false,
  session: 'alive',
  screen: 'unreadable',
  canGate: true,
  isCovered: false,
  pendingForMs: 0,
  childlessForMs: 0,
};
const screens = ['ownPrompt', 'withoutPrompt', 'unrecognised', 'unreadable'] as const;

function at(facts: Partial<SettleFacts>, settleMs = 500) {
  const { verdict, lookAgainInMs } = settle({ ...asking, ...facts }, settleMs);
  return [verdict, lookAgainInMs];
}

describe('whether a pending call waits for the person', () => {
  it('never does where everything runs, or the session is dead, whatever the screen shows', () => {
    for (const screen of screens) {
      const long = { screen, pendingForMs: 60_000, childlessForMs: 60_000 };
      assert.deepEqual(at({ ...long, runsEverything: true }), ['none', undefined], screen);
      assert.deepEqual(at({ ...long, session: 'dead' }), ['none', undefined], screen);
    }
  });

  it('does at once when its own prompt is shown, whatever the call and however little is known', () => {
    for (const session of ['alive', 'unknown'] as const) {
      assert.deepEqual(at({ screen: 'ownPrompt', session }), ['waiting', undefined]);
      assert.deepEqual(at({ screen: 'ownPrompt', session, canGate: false, isCovered: true }), ['waiting', undefined]);
    }
  });

  it('does not while the screen can be read and shows no such prompt, and is looked at often until it could be painted', () => {
    for (const session of ['alive', 'unknown'] as const) {
      assert.deepEqual(at({ screen: 'withoutPrompt', session }), ['none', 150]);
      assert.deepEqual(at({ screen: 'withoutPrompt', session, pendingForMs: 4000 }), ['none', 150]);
      const long = { pendingForMs: 60_000, childlessForMs: 60_000 };
      assert.deepEqual(at({ screen: 'withoutPrompt', session, ...long }), ['none', undefined]);
    }
  });

  it('may, quietly, where the screen cannot be read, once it has settled, and does after 10 s without a child', () => {
    for (const session of ['alive', 'unknown'] as const) {
      assert.deepEqual(at({ session }), ['none', 500]);
      assert.deepEqual(at({ session, pendingForMs: 499, childlessForMs: 499 }), ['none', 1]);
      assert.deepEqual(at({ session, pendingForMs: 500, childlessForMs: 500 }), ['mayBeWaiting', 9500]);
      assert.deepEqual(at({ session, pendingForMs: 9999, childlessForMs: 9999 }), ['mayBeWaiting', 1]);
      assert.deepEqual(at({ session, pendingForMs: 10_000, childlessForMs: 10_000 }), ['waiting', undefined]);
      assert.deepEqual(at({ session, pendingForMs: 60_000, childlessForMs: 3000 }), ['mayBeWaiting', 7000]);
      assert.deepEqual(at({ session, pendingForMs: 3000, childlessForMs: 60_000 }), ['mayBeWaiting', 7000]);
      assert.deepEqual(at({ session, pendingForMs: 60_000, childlessForMs: 0 }), ['mayBeWaiting', 10_000]);
    }
  });

  it('takes the time to settle from the setting', () => {
    assert.deepEqual(at({ pendingForMs: 500, childlessForMs: 500 }, 2000), ['none', 1500]);
    assert.deepEqual(at({ pendingForMs: 0 }, 0), ['mayBeWaiting', 10_000]);
  });

  it('does not where the screen cannot be read and the call asks nobody', () => {
    const long = { pendingForMs: 60_000, childlessForMs: 60_000 };
    for (const screen of ['unreadable', 'unrecognised'] as const) {
      assert.deepEqual(at({ screen, ...long, canGate: false }), ['none', undefined]);
      assert.deepEqual(at({ screen, ...long, isCovered: true }), ['none', undefined]);
    }
  });

  it('is not said of a screen that is not understood before it is certain', () => {
    assert.deepEqual(at({ screen: 'unrecognised' }), ['none', 500]);
    assert.deepEqual(at({ screen: 'unrecognised', pendingForMs: 9000, childlessForMs: 9000 }), ['none', 1000]);
    assert.deepEqual(at({ screen: 'unrecognised', pendingForMs: 10_000, childlessForMs: 10_000 }), [
      'waiting',
      undefined,
    ]);
  });
});
