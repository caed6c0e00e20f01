import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDelegation } from '../../../src/delegation/delegate.ts';
import type { DelegationDeps } from '../../../src/delegation/deps.ts';
import type { Delegation, FanOut, LiveRun } from '../../../src/delegation/task.ts';
import { Worktrees } from '../../../src/delegation/worktrees.ts';
import { createGit } from '../../../src/git/git.ts';
import type { Entry, RunRecord } from '../../../src/journal/entry.ts';
import { capture } from '../../../src/process/capture.ts';
import { delegationDeps, records, tiers } from '../../support/delegationDeps.ts';
import { FakeClock } from '../../support/fakes/clock.ts';
import { type FakeWorker, FakeWorkers } from '../../support/fakes/workers.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('fan-out', () => {
  let repository: GitRepository;
  let folder: string;
  let workers: FakeWorkers;
  let entries: Entry[];
  let worktrees: Worktrees;
  let delegation: Delegation;

  beforeEach(() => {
    repository = new GitRepository();
    repository.commit({ 'a.txt': 'one\n' });
    folder = join(repository.base, 'state');
    workers = new FakeWorkers();
    entries = [];
    mkdirSync(join(folder, 'worktrees'), { recursive: true });
    const git = createGit({ capture, binary: 'git', env: repository.env });
    worktrees = new Worktrees(join(folder, 'worktrees'), () => Promise.resolve(git));
    delegation = createDelegation(deps());
  });

  afterEach(async () => {
    await delegation.shutdown();
    repository.remove();
  });

  const deps = (): DelegationDeps => ({
    ...delegationDeps({ folder, clock: new FakeClock(), workers, entries }),
    worktrees,
  });

  const fanOut = (mode: FanOut['mode'], cwd = repository.root): LiveRun =>
    delegation.fanOut({
      task: { tool: 'fan_out', prompt: 'mend it', cwd },
      levels: [1, 2, 3],
      mode,
      arbiter: { engine: 'codex', model: 'arbiter' },
      digest: (answers) => ({
        prompt: answers.map(({ worker, text }) => `<${worker}: ${text}>`).join(''),
        instructions: 'Compare.',
      }),
    });

  /** The workers that were sent out, by engine. */
  async function team(): Promise<Record<'codex' | 'grok' | 'claude', FakeWorker>> {
    const found = [await workers.next(), await workers.next(), await workers.next()];
    const of = (model: string) =>
      found.find(({ spec }) => (spec.env.FAKE_REQUEST ?? '').includes(`"model":"${model}"`)) ?? assert.fail(model);
    const sent = { codex: of('small'), grok: of('g'), claude: of('opus') };
    for (const [engine, worker] of Object.entries(sent)) {
      worker.says({ event: { kind: 'session', id: `${engine}-1` } });
      assert.equal(readFileSync(join(worker.spec.cwd, 'a.txt'), 'utf8'), 'one\n', 'it is in a worktree');
    }
    assert.equal(new Set(found.map(({ spec }) => spec.cwd)).size, 3);
    return sent;
  }

  /** In a way that no other engine takes over from. */
  function fails(worker: FakeWorker): void {
    worker.says({ outcome: { status: 'failed', reason: 'timedOut', message: 'Too slow.' } });
    worker.exit({ code: 1 });
  }

  const write = (worker: FakeWorker, text: string) => writeFileSync(join(worker.spec.cwd, 'a.txt'), text);
  const worktreesOfGit = () => repository.git('worktree', 'list', '--porcelain').match(/^worktree .*/gm) ?? [];
  const branches = () => repository.git('branch', '--list', '--format=%(refname:short)', 'sallyport-*').trim();
  const recordOf = (tool: string): RunRecord[] => records(entries).filter((record) => record.tool === tool);

  it('lets the first success win, stops the others, and leaves nothing of them', async () => {
    const run = fanOut('race');
    const { codex, grok, claude } = await team();
    fails(claude);
    write(codex, 'by codex\n');
    write(grok, 'by grok\n');
    grok.answers('Mended by grok.');
    const { status, text, handle, branch, notes, files } = await run.result;
    assert.equal(status, 'completed');
    assert.ok(codex.over, 'the others are stopped');
    assert.match(
      text,
      /^Mended by grok\.\n\nWorkers:\n- level 1, codex \(small\): stopped; session codex:codex-1 \(closed\)\n/,
    );
    assert.match(text, /\n- level 2, grok \(g\): won; session grok:grok-1; branch sallyport-[0-9a-f]{12}\n/);
    assert.match(text, /\n- level 3, claude \(opus\): failed \(timedOut\): Too slow\.[^\n]*\(closed\)$/);
    assert.equal(handle, 'grok:grok-1');
    assert.deepEqual(files, []);
    assert.equal(branches(), branch);
    assert.equal(worktreesOfGit().length, 2, "the person's and the winner's");
    assert.equal(readdirSync(join(folder, 'worktrees')).length, 1);
    assert.match(notes.join('\n'), /your checkout is untouched/);
    assert.equal(readFileSync(join(repository.root, 'a.txt'), 'utf8'), 'one\n');
    assert.equal(repository.git('show', `${branch}:a.txt`), 'by grok\n');

    const asked = await delegation.followUp({ tool: 'follow_up', handle: 'codex:codex-1', question: 'Why?' });
    const refused = await asked.result;
    assert.equal(refused.reason, 'badRequest');
    assert.match(refused.text, /lost a race.*Ask the winner, grok:grok-1/);
    const leader = await delegation.followUp({ tool: 'follow_up', handle: `codex:${run.id}`, question: 'Why?' });
    assert.match((await leader.result).text, /has no session of its own/);
  });

  it('continues the winner in its worktree, and brings back what is new', async () => {
    const run = fanOut('race');
    const { grok } = await team();
    write(grok, 'two\n');
    grok.answers('Mended.');
    const { branch = '' } = await run.result;
    const more = await delegation.followUp({ tool: 'follow_up', handle: 'grok:grok-1', question: 'And b?' });
    const worker = await workers.next();
    assert.equal(worker.spec.cwd, grok.spec.cwd);
    write(worker, 'three\n');
    worker.answers('That too.');
    const result = await more.result;
    assert.equal(result.branch, branch);
    assert.equal(repository.git('show', `${branch}:a.txt`), 'three\n');
    assert.equal(recordOf('follow_up')[0]?.origin, repository.root);
  });

  it('has an arbiter compare what succeeded, and names every handle and every failure', async () => {
    const run = fanOut('consensus');
    const { codex, grok, claude } = await team();
    write(codex, 'by codex\n');
    codex.answers('A, I say.');
    grok.answers('B, I say.');
    fails(claude);
    const arbiter = await workers.next();
    assert.match(arbiter.written[0] ?? '', /^<level 1, codex \(small\): A, I say\.><level 2, grok \(g\): B, I say\.>/);
    const request = JSON.parse(arbiter.spec.env.FAKE_REQUEST ?? '{}') as Record<string, unknown>;
    assert.deepEqual([request.access, request.cwd, request.model], ['readOnly', repository.root, 'arbiter']);
    arbiter.says({ event: { kind: 'session', id: 'judge' } });
    arbiter.answers('They differ.');
    const { text, handle, notes } = await run.result;
    assert.match(
      text,
      /^They differ\.\n\nWorkers:\n- level 1, codex \(small\): answered; session codex:codex-1; branch \S+\n/,
    );
    assert.match(text, /\n- level 2, grok \(g\): answered; session grok:grok-1\n/);
    assert.match(text, /\n- level 3, claude \(opus\): failed \(timedOut\): Too slow\.; session claude:claude-1$/);
    assert.equal(handle, 'codex:judge');
    assert.match(notes.join('\n'), /^level 1, codex \(small\): It worked in a git worktree/);
    assert.equal(await delegation.readResult(run.id), text);
  });

  it('gives the answers themselves when the arbiter fails, and the only one when there is one', async () => {
    const run = fanOut('consensus');
    const first = await team();
    first.codex.answers('A.');
    first.grok.answers('B.');
    fails(first.claude);
    const arbiter = await workers.next();
    fails(arbiter);
    const bare = await run.result;
    assert.equal(bare.status, 'completed');
    assert.match(bare.notes[0] ?? '', /no digest, because the arbiter failed: Too slow\./);
    assert.match(bare.text, /## level 1, codex \(small\)\n\nA\.\n\n## level 2, grok \(g\)\n\nB\.\n\nWorkers:/);

    const alone = fanOut('consensus');
    const second = await team();
    fails(second.codex);
    second.grok.answers('B.');
    fails(second.claude);
    const only = await alone.result;
    assert.match(only.notes[0] ?? '', /Only one of 3 workers succeeded/);
    assert.match(only.text, /^B\.\n\nWorkers:/);
  });

  it('fails when all fail, naming each, and holds it against no engine twice', async () => {
    for (const mode of ['race', 'consensus'] as const) {
      const run = fanOut(mode);
      for (const worker of Object.values(await team())) fails(worker);
      const { status, reason, text } = await run.result;
      assert.deepEqual([status, reason], ['failed', 'timedOut']);
      assert.match(
        text,
        /^No worker succeeded\.\n\nWorkers:(\n- level \d, .*: failed \(timedOut\): Too slow\.; session \S+){3}$/,
      );
    }
    assert.ok(recordOf('fan_out').every(({ leads }) => leads === 3));
  });

  it('takes all its workers along when it is cancelled, and their worktrees', async () => {
    const run = fanOut('race');
    const sent = Object.values(await team());
    run.cancel();
    const { status, text } = await run.result;
    assert.equal(status, 'cancelled');
    assert.match(text, /^Cancelled\.\n\nWorkers:(\n- .*: stopped; session \S+ \(closed\)){3}$/);
    assert.ok(sent.every(({ over }) => over));
    assert.equal(worktreesOfGit().length, 1);
    assert.deepEqual([branches(), readdirSync(join(folder, 'worktrees'))], ['', []]);
  });

  it('is refused outside git, and for a level that is not there', async () => {
    const { reason, text } = await fanOut('race', repository.base).result;
    assert.equal(reason, 'badRequest');
    assert.match(text, /worktree cannot be made: .* is not under git/);
    const high = delegation.fanOut({
      task: { tool: 'fan_out', prompt: 'x', cwd: repository.root },
      levels: [1, 4],
      mode: 'race',
      arbiter: tiers[0] ?? assert.fail(),
      digest: () => assert.fail(),
    });
    assert.match((await high.result).text, /no such level/);
    assert.deepEqual(entries, []);
  });

  describe('a sweep', () => {
    async function lostAndKept(): Promise<{ lost: RunRecord; kept: RunRecord }> {
      const run = fanOut('consensus');
      const { codex, grok, claude } = await team();
      for (const worker of [codex, grok, claude]) worker.answers('ok');
      (await workers.next()).answers('They agree.');
      await run.result;
      assert.equal(worktreesOfGit().length, 4);
      const [first, second] = recordOf('fan_out_worker');
      return { lost: { ...(first ?? assert.fail()), status: 'lost' }, kept: second ?? assert.fail() };
    }

    it('removes what belongs to a run that died with its process, or to none, and keeps what has a handle', async () => {
      const { lost, kept } = await lostAndKept();
      const closed: string[] = [];
      const now = Date.now();
      const note = (runId: string) => {
        closed.push(runId);
        return Promise.resolve();
      };
      await worktrees.sweep(() => Promise.resolve([lost, kept]), now, note);
      assert.deepEqual(closed, [lost.runId]);
      assert.equal(worktreesOfGit().length, 2);
      assert.ok(existsSync(kept.cwd));
      await worktrees.sweep(() => Promise.resolve([kept]), now + 8 * 86_400_000, note);
      assert.deepEqual(closed, [lost.runId, kept.runId]);
      assert.deepEqual(worktreesOfGit(), [`worktree ${realpathSync(repository.root)}`]);
      assert.equal(existsSync(join(repository.root, '.git/worktrees')), false);
    });
  });
});
