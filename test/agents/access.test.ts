import assert from 'node:assert/strict';
import { Bench, unsandboxed } from '../support/bench/bench.ts';

const attempt = '[[scenario: writeAttempt]] Write it.';

/** The model did try, and nothing came of it. */
function assertHeld(bench: Bench, text: string): void {
  assert.equal(text, 'I tried to write breach.txt twice.');
  assert.deepEqual(bench.changes(), []);
}

for (const engine of ['codex', 'claude', 'grok'] as const) {
  describe(`what ${engine} may do`, function () {
    this.timeout(60_000);

    it('cannot write in a read-only run, nor in a follow-up of it', () =>
      Bench.with([engine], async (bench) => {
        const first = await bench.run(attempt, { access: 'readOnly' });
        assertHeld(bench, first.text);
        const second = await bench.followUp(first, attempt);
        assert.equal(second.access, 'readOnly');
        assertHeld(bench, second.text);
      }));

    it('cannot write in a follow-up that narrows a writing session, and can in one that does not', () =>
      Bench.with([engine], async (bench) => {
        const first = await bench.run('[[scenario: answer]] Begin.');
        const narrowed = await bench.followUp(first, attempt, { mode: 'ask' });
        assert.equal(narrowed.access, 'readOnly');
        assertHeld(bench, narrowed.text);
        const { files } = await bench.followUp(first, attempt);
        assert.deepEqual(files, [{ path: 'breach.txt', kind: 'added' }]);
      }));
  });
}

describe('a session the journal does not know', function () {
  this.timeout(60_000);

  it('cannot be written in, and its follow-up says so', () =>
    Bench.with(['codex'], async (bench) => {
      const stranger = await bench.run('[[scenario: answer]] Begin.');
      await bench.forget();
      const result = await bench.followUp(stranger, attempt, { cwd: bench.workspace });
      assertHeld(bench, result.text);
      assert.match(result.notes.join(), /not in the journal/);
    }));
});

describe('what a worker may do without a sandbox, and without the person’s consent to that', function () {
  this.timeout(60_000);
  const without = { consent: false, settings: { sandbox: unsandboxed } };

  it('lets Codex write inside its own sandbox', () =>
    Bench.with(
      ['codex'],
      async (bench) => {
        const { files } = await bench.run('[[scenario: edit]] Write.');
        assert.deepEqual(files, [{ path: 'note.txt', kind: 'added' }]);
      },
      without,
    ));

  it('lets Claude edit files but run no command', () =>
    Bench.with(
      ['claude'],
      async (bench) => {
        const edited = await bench.run('[[scenario: fileChange]] Write.');
        assert.deepEqual(edited.files, [{ path: 'patched.txt', kind: 'added' }]);
        await bench.run('[[scenario: edit]] Write.');
        assert.equal(await bench.has('note.txt'), false);
      },
      without,
    ));

  it('refuses Grok and unrestricted access, and says how to agree', () =>
    Bench.with(
      ['grok', 'claude'],
      async (bench) => {
        const refused = await Promise.all([
          bench.run('[[scenario: edit]] Write.'),
          bench.run('[[scenario: edit]] Write.', { access: 'full', choice: { by: 'engine', engine: 'claude' } }),
        ]);
        for (const { status, reason, text } of refused) {
          assert.deepEqual({ status, reason }, { status: 'failed', reason: 'badRequest' });
          assert.match(text, /SALLYPORT_ALLOW_UNSANDBOXED=1.*There is no sandbox: sallyport\.sandbox\.mode is off/);
        }
        assert.deepEqual(bench.server.requests, []);
      },
      without,
    ));

  it('says in the result that nothing held the worker, but not of Codex, which holds itself', () =>
    Bench.with(
      ['claude', 'codex'],
      async (bench) => {
        const byClaude = await bench.run('[[scenario: answer]] Look.', { access: 'readOnly' });
        assert.deepEqual(byClaude.notes, [
          '[unsandboxed] Claude Code worked without a sandbox: sallyport.sandbox.mode is off.',
        ]);
        const choice = { by: 'engine', engine: 'codex' } as const;
        const byCodex = await bench.run('[[scenario: edit]] Write.', { access: 'full', choice });
        assert.deepEqual(byCodex.notes, []);
      },
      without,
    ));

  it('keeps Codex from writing outside the workspace', () =>
    Bench.with(
      ['codex'],
      async (bench) => {
        const { status } = await bench.run('[[scenario: outside]] Write.');
        assert.equal(status, 'completed');
        assert.equal(await bench.has('inside.txt'), true);
        assert.equal(await bench.has('.git/outside.txt'), false);
      },
      {
        ...without,
        scenarios: {
          outside: {
            about: 'writes into the workspace and into its git folder, which Codex guards',
            steps: [
              { call: { kind: 'shell', command: 'echo x > inside.txt; echo x > .git/outside.txt' } },
              { say: 'Tried.' },
            ],
          },
        },
      },
    ));
});
