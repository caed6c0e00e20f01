import assert from 'node:assert/strict';
import type { LiveRun } from '../../../src/delegation/task.ts';
import type { RunRecord } from '../../../src/journal/entry.ts';
import { isFiltering, noFilter, type RunFilter } from '../../../src/vscode/runs/runFilter.ts';
import { arrange, contextWords, countRuns, type RunsNode, startOfDay } from '../../../src/vscode/runs/runNode.ts';

const noon = new Date(2026, 4, 20, 12).getTime();
const hour = 3_600_000;

const record = (runId: string, startedAt: number, more: Partial<RunRecord> = {}): RunRecord => ({
  runId,
  startedAt,
  status: 'completed',
  owner: { pid: 1, startedAt: '0', kind: 'window' },
  tool: 'command',
  engine: 'codex',
  access: 'workspaceWrite',
  cwd: '/w',
  title: runId,
  charsRead: 0,
  charsReturned: 0,
  files: [],
  notes: [],
  moved: [],
  ...more,
});

const live = (of: RunRecord): LiveRun => ({
  id: of.runId,
  record: of,
  phase: { kind: 'running', step: 'x' },
  handle: `codex:${of.runId}`,
  result: new Promise(() => undefined),
  onEvent: () => ({ dispose: () => undefined }),
  cancel: () => undefined,
});

const outline = (nodes: RunsNode[]) =>
  nodes.map((node) => (node.kind === 'day' ? node.runs.map((run) => run.record.runId) : node.record.runId));

describe('runs', () => {
  it('puts live runs first, then days, newest first', () => {
    const nodes = arrange(
      [live(record('now', noon, { status: 'running' }))],
      [record('old', noon - 30 * hour), record('early', noon - 5 * hour), record('late', noon - hour)],
    );
    assert.deepEqual(outline(nodes), ['now', ['late', 'early'], ['old']]);
  });

  it('shows a live run once, as the window knows it', () => {
    const known = record('now', noon, { status: 'running' });
    const nodes = arrange([live(known)], [known]);
    assert.deepEqual(outline(nodes), ['now']);
    assert.equal(nodes[0]?.kind === 'run' && nodes[0].live?.id, 'now');
  });

  it('shows what runs elsewhere after what runs here, without a way to cancel it', () => {
    const elsewhere = record('other', noon + hour, { status: 'running' });
    const nodes = arrange([live(record('now', noon, { status: 'running' }))], [elsewhere]);
    assert.deepEqual(outline(nodes), ['now', 'other']);
    assert.equal(contextWords({ record: elsewhere }), 'elsewhere');
  });

  it('groups by the local day', () => {
    const midnight = startOfDay(noon);
    const nodes = arrange([], [record('after', midnight), record('before', midnight - 1)]);
    assert.deepEqual(outline(nodes), [['after'], ['before']]);
  });

  it('opens the two newest days, unless the newest has a lot', () => {
    const day = 24 * hour;
    const open = (counts: number[]) => {
      const records = counts.flatMap((count, ago) =>
        Array.from({ length: count }, (_, n) => record(`${ago}-${n}`, noon - ago * day - n)),
      );
      return arrange([], records).map((node) => node.kind === 'day' && node.isOpen);
    };
    assert.deepEqual(open([1, 1, 1]), [true, true, false]);
    assert.deepEqual(open([100, 1]), [true, false]);
  });

  it('offers what an ended run can give', () => {
    const full = record('a', noon, { sessionId: 's', files: [{ path: 'x', kind: 'added' }], notes: [] });
    assert.equal(contextWords({ record: full }), 'ended session changes revert');
    assert.equal(contextWords({ record: record('a', noon) }), 'ended');
    assert.equal(contextWords({ record: full, live: live(full) }), 'live');
  });

  it('offers no changes of a lead, no revert of a worktree, and no question to a closed session', () => {
    const files = [{ path: 'x', kind: 'added' as const }];
    const words = (more: Partial<RunRecord>) => contextWords({ record: record('a', noon, { files, ...more }) });
    assert.equal(words({ leads: 2 }), 'ended');
    assert.equal(words({ origin: '/w' }), 'ended changes');
    assert.equal(words({ sessionId: 's', closed: 'why' }), 'ended changes revert');
  });

  it('puts workers under the run that sent them out, oldest first', () => {
    const lead = record('lead', noon, { leads: 2 });
    const workers = [record('w2', noon + 2, { ledBy: 'lead' }), record('w1', noon + 1, { ledBy: 'lead' })];
    const [day] = arrange([], [...workers, lead, record('alone', noon - 1, { ledBy: 'forgotten' })]);
    assert.deepEqual(day && outline([day]), [['lead', 'alone']]);
    const [first] = day?.kind === 'day' ? day.runs : [];
    assert.deepEqual(
      first?.workers.map((worker) => worker.record.runId),
      ['w1', 'w2'],
    );
    assert.equal(countRuns(day ? [day] : []), 4);
  });

  describe('filter', () => {
    const runs = [
      record('a', noon, { title: 'Fix the parser', files: [{ path: 'src/parse.ts', kind: 'modified' }] }),
      record('b', noon - 1, { title: 'Explain', engine: 'claude', status: 'failed', model: 'opus' }),
      record('lead', noon - 2, { title: 'Race', leads: 1 }),
      record('w', noon - 3, { title: 'Race', ledBy: 'lead', engine: 'grok' }),
    ];
    const shown = (filter: Partial<RunFilter>) => outline(arrange([], runs, { ...noFilter, ...filter })).flat();

    it('finds every word, in the title, the model or a changed file, whatever the case', () => {
      assert.deepEqual(shown({ text: ' FIX  parse.ts ' }), ['a']);
      assert.deepEqual(shown({ text: 'opus' }), ['b']);
      assert.deepEqual(shown({ text: 'fix opus' }), []);
    });

    it('takes any of the statuses, and any of the engines', () => {
      assert.deepEqual(shown({ statuses: ['failed', 'lost'] }), ['b']);
      assert.deepEqual(shown({ engines: ['claude', 'codex'], statuses: ['completed'] }), ['a', 'lead']);
    });

    it('shows a lead for the sake of its worker', () => {
      assert.deepEqual(shown({ engines: ['grok'] }), ['lead']);
    });

    it('filters by nothing at first', () => {
      assert.equal(isFiltering(noFilter), false);
      assert.equal(isFiltering({ ...noFilter, text: '  ' }), false);
      assert.equal(shown({}).length, 3);
    });
  });
});
