import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parseConfig } from '../../src/config.ts';
import type { RunEvent, Tier } from '../../src/protocol/model.ts';
import { Bench, until } from '../support/bench/bench.ts';

/** Codex has the models it knows script their tools: `exec` takes JavaScript that calls them. Others call them one by one. */
const offerSchema = z.object({
  model: z.string(),
  tools: z.undefined().optional(),
  input: z.array(z.looseObject({ type: z.string() })),
  reasoning: z.looseObject({ effort: z.string() }),
});

/** The rungs of the ladder as it comes that Codex serves. */
const rungs = parseConfig({}).config.tiers.filter(({ engine }) => engine === 'codex');
const level1 = rungs[0] ?? assert.fail('Codex serves no rung');

/** A bench whose Codex has the model of `rung`. */
function on(rung: Tier, test: (bench: Bench) => Promise<void>): Promise<void> {
  return Bench.with(['codex'], test, { settings: { tiers: [rung] } });
}

/** A run with everything it tells on its way. */
async function watched(bench: Bench, prompt: string) {
  const run = bench.start(prompt);
  const events: RunEvent[] = [];
  run.onEvent((event) => events.push(event));
  return { events, result: await bench.end(run) };
}

describe('Codex with a model it knows', function () {
  this.timeout(60_000);

  for (const rung of rungs) {
    const name = rung.model ?? assert.fail('the rung names a model');

    it(`is given a script for its one tool, and shows the command in it (${name})`, () =>
      on(rung, async (bench) => {
        const { events, result } = await watched(bench, '[[scenario: edit]] Write a note.');
        assert.equal(result.text, 'Done: note.txt:1 holds the note.');
        assert.equal(await bench.read('note.txt'), 'a note\n');
        const { model, reasoning, input } = offerSchema.parse(bench.lastRequest().body);
        assert.deepEqual({ model, effort: reasoning.effort }, { model: rung.model, effort: rung.effort });
        assert.deepEqual(
          input.flatMap(({ type, name }) => (type.endsWith('_call') ? [`${type} ${String(name)}`] : [])),
          ['custom_tool_call exec'],
        );
        assert.deepEqual(
          events.flatMap((event) => (event.kind === 'toolStarted' ? [event.title] : [])),
          ["printf 'a note\\n' > note.txt && cat note.txt"],
        );
        assert.deepEqual(
          events.filter(({ kind }) => kind === 'remark'),
          [],
        );
      }));

    it(`patches files, and says which (${name})`, () =>
      on(rung, async (bench) => {
        const { events, result } = await watched(bench, '[[scenario: fileChange]] Write two lines.');
        assert.deepEqual(result.files, [{ path: 'patched.txt', kind: 'added' }]);
        assert.equal(await bench.read('patched.txt'), 'first line\nsecond line\n');
        assert.deepEqual(
          events.flatMap((event) => (event.kind === 'fileChange' ? [event.change] : [])),
          [{ path: 'patched.txt', kind: 'added' }],
        );
      }));
  }

  it('goes on with a failed command', () =>
    on(level1, async (bench) => {
      const { events, result } = await watched(bench, '[[scenario: failingCommand]] Build it.');
      assert.equal(result.text, 'The command failed with exit code 3.');
      assert.deepEqual(
        events.flatMap((event) => (event.kind === 'toolEnded' ? [event.ok] : [])),
        [false],
      );
    }));

  it('cannot write in a read-only run, nor in a follow-up that narrows a writing one', () =>
    on(level1, async (bench) => {
      const attempt = '[[scenario: writeAttempt]] Write it.';
      const first = await bench.run(attempt, { access: 'readOnly' });
      const writing = await bench.run('[[scenario: answer]] Begin.');
      const narrowed = await bench.followUp(writing, attempt, { mode: 'ask' });
      for (const { status, text } of [first, narrowed]) {
        assert.deepEqual({ status, text }, { status: 'completed', text: 'I tried to write breach.txt twice.' });
      }
      assert.deepEqual(bench.changes(), []);
      const { files } = await bench.followUp(writing, attempt);
      assert.deepEqual(files, [{ path: 'breach.txt', kind: 'added' }]);
    }));

  it('counts the tokens of each follow-up, and keeps its instructions', () =>
    on(level1, async (bench) => {
      const instructions = 'Answer like "a pirate".';
      const first = await bench.run('[[scenario: remember]] Begin.', { instructions });
      const second = await bench.followUp(first, '[[scenario: remember]] And now?');
      assert.deepEqual(
        [first, second].map(({ text }) => text),
        ['I have seen 1 user turn(s).', 'I have seen 2 user turn(s).'],
      );
      assert.ok((first.usage?.input ?? 0) > 0);
      assert.deepEqual(second.usage, first.usage);
      assert.ok(JSON.stringify(bench.lastRequest().body).includes(JSON.stringify(instructions).slice(1, -1)));
    }));

  it('hands its commands neither its key nor what is not theirs', () =>
    on(level1, async (bench) => {
      const { status, text } = await bench.run('[[scenario: envDump]] List it.');
      assert.equal(status, 'completed', text);
      const names = text.split(/\s+/);
      assert.ok(names.includes('SALLYPORT_RUN') && names.includes('SALLYPORT_DEPTH'), text);
      assert.ok(!names.includes('LOOPBACK_API_KEY'), text);
    }));

  it('survives a command that prints megabytes', () =>
    on(level1, async (bench) => {
      const { text } = await bench.run('[[scenario: bigOutput]] List it.');
      assert.equal(text, 'The listing ends at 400000.');
    }));

  for (const access of ['workspaceWrite', 'full'] as const) {
    it(`leaves nothing of a cancelled script (${access})`, () =>
      on(level1, async (bench) => {
        const run = bench.start('[[scenario: grandchild]] Begin.', { access });
        await bench.appears('grandchild.pid');
        // The CLI and the loop at least.
        await until(async () => (await bench.processesOf(run.id)).length >= 2, 'the command runs');
        run.cancel();
        const cancelled = await bench.end(run);
        assert.equal(cancelled.status, 'cancelled');
        assert.deepEqual(await bench.folders(), ['.git'], 'folders the CLI left in the workspace');
        const result = await bench.followUp(cancelled, '[[scenario: answer]] And?');
        assert.equal(result.text, 'The answer is forty-two.');
      }));
  }

  it('leaves no folder of its sandbox behind where there is no repository', () =>
    on(level1, async (bench) => {
      const cwd = join(bench.workspace, 'plain');
      await mkdir(cwd);
      const run = bench.start('[[scenario: grandchild]] Begin.', { cwd });
      await bench.appears('plain/grandchild.pid');
      run.cancel();
      assert.equal((await bench.end(run)).status, 'cancelled');
      assert.deepEqual(await readdir(cwd), ['grandchild.pid']);
    }));

  it('leaves nothing of what a finished script left behind', () =>
    on(level1, async (bench) => {
      const orphan = await bench.run('[[scenario: orphan]] Begin.', { access: 'full' });
      assert.equal(orphan.text, 'The server is running in the background.');
      assert.equal(await bench.has('grandchild.pid'), true);
      const background = await bench.run('[[scenario: background]] Begin.');
      assert.equal(background.text, 'The task goes on in the background.');
      assert.equal(await bench.has('background.pid'), true);
    }));
});
