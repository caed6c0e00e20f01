import assert from 'node:assert/strict';
import type { Captured, Command } from '../../../src/process/capture.ts';
import { createProbe, type ProbeDeps } from '../../../src/sandbox/probe.ts';

const ended: Captured = {
  code: 0,
  signal: null,
  stdout: Buffer.alloc(0),
  stderr: '',
  timedOut: false,
  truncated: false,
  startFailed: false,
};

describe('the probe of the sandbox', () => {
  let asked: Command[];
  let answer: Partial<Captured>;

  const probe = (over: Partial<ProbeDeps> = {}) =>
    createProbe({
      platform: 'linux',
      isRoot: false,
      findBwrap: () => Promise.resolve('/usr/bin/bwrap'),
      capture(command) {
        asked.push(command);
        return Promise.resolve({ ...ended, ...answer });
      },
      ...over,
    });

  beforeEach(() => {
    asked = [];
    answer = {};
  });

  it('runs a program in a sandbox, and remembers that it could', async () => {
    const available = probe();
    assert.deepEqual(await available(), { ok: true, bwrap: '/usr/bin/bwrap' });
    assert.deepEqual(await available(), { ok: true, bwrap: '/usr/bin/bwrap' });
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.args.at(-1), 'true');
    assert.ok(asked[0].args.includes('--unshare-pid'));
  });

  it('asks again after a no', async () => {
    const available = probe();
    answer = { code: 1, stderr: 'bwrap: setting up uid map: Permission denied' };
    assert.equal((await available()).ok, false);
    answer = {};
    assert.equal((await available()).ok, true);
  });

  for (const [stderr, says] of [
    ['bwrap: setting up uid map: Permission denied', /user namespaces.*AppArmor.*Permission denied/],
    ['bwrap: No permissions to create new namespace, likely because the kernel does not allow it', /user namespaces/],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", /does not let bubblewrap mount/],
    ['bwrap: something new', /could not start a program: bwrap: something new/],
  ] as const) {
    it(`says why it was refused: ${stderr}`, async () => {
      answer = { code: 1, stderr };
      const refused = await probe()();
      assert.ok(!refused.ok);
      assert.match(refused.why, says);
    });
  }

  it('says what to install, and where there is nothing to install', async () => {
    const missing = await probe({ findBwrap: () => Promise.resolve(undefined) })();
    assert.ok(!missing.ok);
    assert.match(missing.why, /apt install bubblewrap/);
    const elsewhere = await probe({ platform: 'darwin' })();
    assert.deepEqual(elsewhere, { ok: false, why: 'Sallyport has a sandbox on Linux only' });
    assert.deepEqual(asked, []);
  });

  it('does not wait for ever', async () => {
    answer = { code: null, timedOut: true };
    const refused = await probe()();
    assert.ok(!refused.ok);
    assert.match(refused.why, /within 5 s/);
  });
});
