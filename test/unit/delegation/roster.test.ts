import assert from 'node:assert/strict';
import { Roster, type RosterDeps } from '../../../src/delegation/roster.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { fakeEngine } from '../../support/fakes/engine.ts';

/** A CLI that prints these, by its arguments; what is not here is never answered. */
function rosterOf(prints: Readonly<Record<string, string>>, state?: string): { roster: Roster; asked: string[] } {
  const asked: string[] = [];
  const deps: RosterDeps = {
    locate: () => Promise.resolve({ ok: true, file: process.execPath }),
    forget: () => undefined,
    capture: ({ args, timeoutMs }) => {
      const words = args.join(' ');
      asked.push(words);
      const text = prints[words];
      assert.ok(timeoutMs <= 15_000);
      return Promise.resolve({
        ...{ code: 0, signal: null, stderr: '', truncated: false, startFailed: false },
        stdout: Buffer.from(text ?? ''),
        timedOut: text === undefined,
      });
    },
    probeEnvironment: () => Promise.resolve({}),
    readState: () => Promise.resolve(state),
  };
  return { roster: new Roster(deps), asked };
}

const engine: Engine = {
  ...fakeEngine(),
  signIn: {
    args: ['login', 'status'],
    read: (text) => ({ state: text.includes('yes') ? 'signedIn' : 'signedOut' }),
    ownService: { file: 'config', read: (text) => (text === 'own' ? 'own' : undefined) },
  },
};
const help = 'Commands:\n  login   Sign in\n';

describe('the roster, asked who is signed in', () => {
  it('says what the CLI says, anew each time', async () => {
    const prints: Record<string, string> = { '--version': '1', '--help': help, 'login status': 'no' };
    const { roster, asked } = rosterOf(prints);
    assert.deepEqual(await roster.signIn(engine), { state: 'signedOut' });
    prints['login status'] = 'yes';
    assert.deepEqual(await roster.signIn(engine), { state: 'signedIn' });
    assert.equal(asked.filter((words) => words === '--help').length, 1);
  });

  it('asks no CLI whose help does not know the question: it could take it for a prompt', async () => {
    const { roster, asked } = rosterOf({ '--version': '1', '--help': 'Commands:\n  exec   Run the login\n' });
    assert.deepEqual(await roster.signIn(engine), { state: 'notAsked' });
    assert.ok(!asked.includes('login status'));
  });

  it('says so when there is no answer in time', async () => {
    const { roster } = rosterOf({ '--version': '1', '--help': help });
    assert.deepEqual(await roster.signIn(engine), { state: 'silent' });
  });

  it('asks nothing where a model service of the person’s own is used', async () => {
    const { roster, asked } = rosterOf({ '--version': '1', '--help': help }, 'own');
    assert.deepEqual(await roster.signIn(engine), { state: 'signedIn', how: 'own' });
    assert.ok(!asked.includes('login status'));
  });
});

it('a CLI that says nothing when asked who it is did not answer, and is not called missing', async () => {
  const stranger: Engine = { ...engine, identify: () => ({ ok: false, why: 'It is something else.' }) };
  const silent = await rosterOf({}).roster.ready(stranger);
  assert.ok(!silent.ok);
  assert.equal(silent.reason, 'environment');
  assert.match(silent.message, /did not answer within 15 s when it was asked for its version/);
  const other = await rosterOf({ '--version': 'x', '--help': help }).roster.ready(stranger);
  assert.equal(other.ok ? '' : other.reason, 'notInstalled');
});
