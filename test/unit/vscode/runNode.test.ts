import assert from 'node:assert/strict';
import type { LiveRun } from '../../../src/delegation/task.ts';
import type { RunRecord } from '../../../src/journal/entry.ts';
import { arrange, contextWords, type RunsNode, startOfDay } from '../../../src/vscode/runs/runNode.ts';

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
    assert.equal(contextWords({ kind: 'run', record: elsewhere }), 'elsewhere');
  });

  it('groups by the local day', () => {
    const midnight = startOfDay(noon);
    const nodes = arrange([], [record('after', midnight), record('before', midnight - 1)]);
    assert.deepEqual(outline(nodes), [['after'], ['before']]);
  });

  it('offers what an ended run can give', () => {
    const full = record('a', noon, { sessionId: 's', files: [{ path: 'x', kind: 'added' }], notes: [] });
    assert.equal(contextWords({ kind: 'run', record: full }), 'ended session changes');
    assert.equal(contextWords({ kind: 'run', record: record('a', noon) }), 'ended');
    assert.equal(contextWords({ kind: 'run', record: full, live: live(full) }), 'live');
  });
});
