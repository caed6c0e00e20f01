import assert from 'node:assert/strict';
import { Bench } from '../support/bench/bench.ts';
import { fakeSecrets } from '../support/modelServer/scenarios.ts';

for (const engine of ['codex', 'claude', 'grok'] as const) {
  describe(`${engine} at work`, function () {
    this.timeout(60_000);

    it('answers, under a handle of its own', () =>
      Bench.with([engine], async (bench) => {
        const { status, text, files, notes, handle, usage } = await bench.run('[[scenario: answer]] What is it?', {
          access: 'readOnly',
        });
        assert.deepEqual(
          { status, text, files, notes },
          { status: 'completed', text: 'The answer is forty-two.', files: [], notes: [] },
        );
        assert.match(handle ?? '', new RegExp(`^${engine}:[0-9a-f-]{36}$`));
        assert.ok((usage?.input ?? 0) > 0);
      }));

    it('writes a file by shell, which git sees', () =>
      Bench.with([engine], async (bench) => {
        const { status, text, files } = await bench.run('[[scenario: edit]] Write a note.');
        assert.deepEqual(
          { status, text, files },
          {
            status: 'completed',
            text: 'Done: note.txt:1 holds the note.',
            files: [{ path: 'note.txt', kind: 'added' }],
          },
        );
        assert.equal(await bench.read('note.txt'), 'a note\n');
        assert.deepEqual(bench.changes(), ['?? note.txt']);
      }));

    it('writes a file by its own tool, and says so while it works', () =>
      Bench.with([engine], async (bench) => {
        const run = bench.start('[[scenario: fileChange]] Write two lines.');
        const seen: string[] = [];
        run.onEvent((event) => seen.push(event.kind));
        const { files } = await bench.end(run);
        assert.deepEqual(files, [{ path: 'patched.txt', kind: 'added' }]);
        assert.equal(await bench.read('patched.txt'), 'first line\nsecond line\n');
        assert.deepEqual(
          seen.filter((kind) => ['session', 'toolStarted', 'toolEnded', 'fileChange', 'message'].includes(kind)),
          ['session', 'toolStarted', 'toolEnded', 'fileChange', 'message'],
        );
      }));

    it('goes on with a failed command', () =>
      Bench.with([engine], async (bench) => {
        const run = bench.start('[[scenario: failingCommand]] Build it.');
        const ends: boolean[] = [];
        run.onEvent((event) => {
          if (event.kind === 'toolEnded') ends.push(event.ok);
        });
        const { status, text } = await bench.end(run);
        assert.equal(status, 'completed', text);
        assert.equal(text, 'The command failed with exit code 3.');
        assert.deepEqual(ends, [false]);
      }));

    it('remembers in a follow-up, whose tokens are its own', () =>
      Bench.with([engine], async (bench) => {
        const first = await bench.run('[[scenario: remember]] Begin.');
        const second = await bench.followUp(first, '[[scenario: remember]] And now?');
        const third = await bench.followUp(second, '[[scenario: remember]] And now?');
        assert.deepEqual(
          [first, second, third].map(({ text }) => text),
          [1, 2, 3].map((turns) => `I have seen ${turns} user turn(s).`),
        );
        assert.deepEqual([second.handle, third.handle], [first.handle, first.handle]);
        assert.deepEqual([second.usage, third.usage], [first.usage, first.usage]);
        assert.equal(third.access, 'workspaceWrite');
      }));

    it('is told its instructions and its limit', () =>
      Bench.with([engine], async (bench) => {
        const instructions = 'Answer like "a pirate".\nBe brief: `$(id)` \\ -- é 🚀';
        const { text } = await bench.run('[[scenario: answer]] Go.', { instructions, timeoutMs: 120_000 });
        assert.equal(text, 'The answer is forty-two.');
        const request = bench.lastRequest();
        const told = JSON.stringify(request.body);
        assert.ok(told.includes(JSON.stringify(instructions).slice(1, -1)), 'the instructions arrive');
        assert.match(request.prompt, /You have 2 min for this/);
      }));

    it('loses no credential to its caller', () =>
      Bench.with([engine], async (bench) => {
        const run = bench.start('[[scenario: secrets]] Show the configuration.');
        let seen = '';
        run.onEvent((event) => (seen += JSON.stringify(event)));
        const { status, text, notes } = await bench.end(run);
        assert.equal(status, 'completed', text);
        assert.match(text, /^The configuration holds:\nAWS_ACCESS_KEY_ID=/);
        for (const secret of Object.values(fakeSecrets)) {
          assert.ok(!text.includes(secret), 'in the answer');
          assert.ok(!seen.includes(secret), 'in an event');
        }
        assert.match(notes.join('\n'), /Secrets were taken out/);
      }));

    it('survives output of megabytes', () =>
      Bench.with([engine], async (bench) => {
        const [listing, answer] = await Promise.all([
          bench.run('[[scenario: bigOutput]] List it.'),
          bench.run('[[scenario: bigText]] Tell me all.'),
        ]);
        assert.equal(listing.text, 'The listing ends at 400000.');
        assert.equal(answer.status, 'completed', answer.text.slice(0, 500));
        assert.equal(answer.text.trimEnd().split('\n').length, 20_000);
      }));
  });
}

describe('a session', function () {
  this.timeout(60_000);

  it('answers one question at a time', () =>
    Bench.with(['codex'], async (bench) => {
      const first = await bench.run('[[scenario: remember]] Begin.');
      const others = await Promise.all(
        ['And?', 'Then?'].map((question) => bench.followUp(first, `[[scenario: remember]] ${question}`)),
      );
      assert.deepEqual(
        others.map(({ text }) => text),
        [2, 3].map((turns) => `I have seen ${turns} user turn(s).`),
      );
    }));
});
