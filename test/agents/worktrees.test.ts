import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Bench, until } from '../support/bench/bench.ts';
import { serverFor, sessionIn } from '../support/bench/mcpServer.ts';
import { McpTestClient } from '../support/mcpClient.ts';
import type { Scenario } from '../support/modelServer/scenario.ts';

/** Only the worker that finds the flag free goes on; the other one is at work until it is stopped. */
const contest: Scenario = {
  about: 'the first worker to take a flag writes a note and answers, the others wait for ever',
  steps: [
    {
      call: {
        kind: 'shell',
        // Git's common folder is the one place that both sandboxes share.
        command: `mkdir "$(git rev-parse --git-common-dir)/flag" && printf 'a note\\n' > note.txt || { echo x > lost.txt; sleep 600; }`,
      },
    },
    { say: 'Done: note.txt:1 holds the note.' },
  ],
};

/** How many worktrees git knows, and what Sallyport keeps of its own. */
async function left(bench: Bench): Promise<[number, number]> {
  const known = bench.git('worktree', 'list', '--porcelain').match(/^worktree /gm)?.length ?? 0;
  return [known, (await readdir(join(bench.wiring.state, 'worktrees'))).length];
}

describe('worktrees with real Codex', function () {
  this.timeout(60_000);

  it('delegate works in one, its changes come back as a branch, and its session goes on there', () =>
    Bench.with(['codex'], async (bench) => {
      await bench.write('readme.txt', 'being edited\n');
      await bench.write('untracked.txt', 'new\n');
      const client = await McpTestClient.connect(serverFor(bench));
      try {
        const asked = { prompt: '[[scenario: edit]] Write a note.', isolation: 'worktree' };
        const { text, isError } = await client.call('delegate', asked);
        assert.equal(isError, false, text);
        const [, branch = ''] = /branch (sallyport-[0-9a-f]{12}),/.exec(text) ?? [];
        assert.match(text, /Files changed \(1\):\n- added note\.txt/);
        assert.equal(await bench.has('note.txt'), false, 'the checkout is untouched');
        assert.equal(bench.git('ls-tree', '--name-only', branch), 'note.txt\nreadme.txt\nuntracked.txt\n');
        assert.equal(bench.git('show', `${branch}:readme.txt`), 'being edited\n');
        assert.deepEqual(await left(bench), [2, 1]);
        const more = { session_id: sessionIn(text), question: '[[scenario: fileChange]] And two lines.' };
        const next = await client.call('follow_up', more);
        assert.equal(next.isError, false, next.text);
        assert.match(bench.git('show', `${branch}:patched.txt`), /^first line\n/);
      } finally {
        await client.close();
      }
    }));

  it('fan_out: one wins the race, and nothing is left of the other', async () => {
    await Bench.with(
      ['codex'],
      async (bench) => {
        bench.change({ tiers: [{ engine: 'codex' }, { engine: 'codex', effort: 'low' }] });
        const client = await McpTestClient.connect(serverFor(bench));
        try {
          const asked = { prompt: '[[scenario: contest]] Write a note.', levels: [1, 2], mode: 'race' };
          const { text, isError } = await client.call('fan_out', asked);
          assert.equal(isError, false, text);
          assert.match(text, /\n\nWorkers:\n/);
          assert.equal(text.match(/^- level \d, .*: won; session codex:\S+; branch sallyport-/gm)?.length, 1, text);
          const [, loser = ''] = /: stopped; session (codex:\S+) \(closed\)/.exec(text) ?? assert.fail(text);
          assert.equal(bench.git('branch', '--list', 'sallyport-*').trim().split('\n').length, 1);
          assert.deepEqual(await left(bench), [2, 1]);
          const refused = await client.call('follow_up', { session_id: loser, question: 'Why?' });
          assert.deepEqual([refused.isError, refused.text.includes('lost a race')], [true, true], refused.text);
        } finally {
          await client.close();
        }
      },
      { scenarios: { contest } },
    );
  });

  it('fan_out: a consensus is a digest by an arbiter that read both answers', () =>
    Bench.with(['codex'], async (bench) => {
      bench.change({ tiers: [{ engine: 'codex' }, { engine: 'codex', effort: 'low' }] });
      const client = await McpTestClient.connect(serverFor(bench));
      try {
        const asked = { prompt: '[[scenario: answer]] What is it?', levels: [1, 2], mode: 'consensus' };
        const { text, isError } = await client.call('fan_out', asked);
        assert.equal(isError, false, text);
        assert.match(
          text,
          /^The answer is forty-two\.\n\nWorkers:(\n- level \d, codex.*: answered; session codex:\S+){2}\n/,
        );
        const { prompt } = bench.lastRequest();
        assert.match(prompt, /<answer worker="level 1, codex">\nThe answer is forty-two\.[^]*<answer worker="level 2/);
      } finally {
        await client.close();
      }
    }));

  it('a worktree of a process that was killed is gone after the next start', () =>
    Bench.with(['codex'], async (bench) => {
      const prompt = '[[scenario: grandchild]] Begin.';
      const program = join(import.meta.dirname, 'ownerProcess.ts');
      const args = [program, JSON.stringify(bench.wiring), prompt, 'worktree'];
      const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        const [printed] = (await once(owner.stdout, 'data')) as [Buffer];
        const runId = printed.toString().trim();
        const pid = join(bench.wiring.state, 'worktrees', runId, 'tree', 'grandchild.pid');
        await until(async () => readFile(pid).then(Boolean, () => false), 'the worker is at work', 20_000);
        assert.deepEqual(await left(bench), [2, 1]);
        owner.kill('SIGKILL');
        await once(owner, 'exit');
        const client = await McpTestClient.connect(serverFor(bench));
        try {
          const { text } = await client.call('follow_up', { session_id: `codex:${runId}` });
          await until(async () => (await left(bench)).join() === '1,0', 'nothing is left', 20_000);
          assert.match(text, /Failed/);
          const asked = await client.call('follow_up', { session_id: `codex:${runId}`, question: 'And?' });
          assert.match(asked.text, /its worktree was removed/);
        } finally {
          await client.close();
        }
        assert.equal(bench.git('branch', '--list', 'sallyport-*'), '');
      } finally {
        owner.kill('SIGKILL');
      }
    }));
});
