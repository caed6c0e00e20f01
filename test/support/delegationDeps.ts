import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DelegationDeps } from '../../src/delegation/deps.ts';
import type { Redactor } from '../../src/delegation/redact.ts';
import { Roster } from '../../src/delegation/roster.ts';
import { RunFolders } from '../../src/delegation/runFolder.ts';
import { Worktrees } from '../../src/delegation/worktrees.ts';
import type { Entry, RunRecord } from '../../src/journal/entry.ts';
import { RunTable } from '../../src/journal/merge.ts';
import type { EngineId, Tier } from '../../src/protocol/model.ts';
import type { FakeClock } from './fakes/clock.ts';
import { fakeEngine } from './fakes/engine.ts';
import type { FakeWorkers } from './fakes/workers.ts';
import { silentLog } from './mcpDeps.ts';

/** The ladder of these tests. */
export const tiers: Tier[] = [
  { engine: 'codex', model: 'small', effort: 'low' },
  { engine: 'grok', model: 'g', effort: 'high' },
  { engine: 'claude', model: 'opus' },
];

/** The records that a journal of these entries would tell; none of their owners is dead. */
export function records(entries: readonly Entry[]): RunRecord[] {
  const table = new RunTable();
  for (const entry of entries) table.add(entry);
  return [...table.records(() => false)];
}

/** A redactor whose one secret is the word "hush". */
export const wordRedactor: Redactor = {
  redact: (text) =>
    Promise.resolve({
      text: text.replaceAll('hush', '[redacted: word]'),
      found: text.includes('hush') ? [{ rule: 'word', count: 1 }] : [],
    }),
  wake: () => undefined,
  keep: () => ({ dispose: () => undefined }),
  quick: (text) => text.replaceAll('hush', '[redacted: word]'),
  stream: () => ({ push: (text: string) => text, end: () => '' }),
  dispose: () => undefined,
};

/** What a delegation of fakes is made of, beside what every test of it holds in its hands. */
export interface DelegationParts {
  /** Absolute: of runs and worktrees. */
  folder: string;
  clock: FakeClock;
  workers: FakeWorkers;
  /** Grows with what is written down. */
  entries: Entry[];
  /** CLIs that are not there. */
  missing?: Pick<ReadonlySet<EngineId>, 'has'>;
}

/** Everything the use case needs, with three engines, no git, no sandbox, and a person who agreed to nothing. */
export function delegationDeps({ folder, clock, workers, entries, missing }: DelegationParts): DelegationDeps {
  return {
    clock,
    log: silentLog,
    settings: () => ({
      tiers,
      fastTiers: tiers.slice(1),
      allowCursorFallback: false,
      allowWiden: false,
      maxParallelRuns: 4,
      terseWorkers: false,
    }),
    personaRoots: (cwd) => Promise.resolve([{ folder: join(cwd, 'agents') }]),
    engines: new Map(
      (['codex', 'grok', 'claude'] as const).map((id) => [id, fakeEngine({ id, title: id.toUpperCase() })]),
    ),
    journal: {
      append(entry: Entry) {
        entries.push(entry);
        return Promise.resolve();
      },
      read: () => Promise.resolve(records(entries)),
    },
    folders: new RunFolders(folder),
    redactor: wordRedactor,
    owner: { pid: 1, startedAt: 'x', kind: 'window' },
    worktrees: new Worktrees(join(folder, 'worktrees'), () => Promise.resolve(undefined)),
    roster: new Roster({
      locate: ({ id }) =>
        Promise.resolve(
          missing?.has(id) ? { ok: false, why: 'No such program.' } : { ok: true, file: process.execPath },
        ),
      forget: () => undefined,
      capture: () =>
        Promise.resolve({
          code: 0,
          signal: null,
          stdout: Buffer.from('1'),
          stderr: '',
          timedOut: false,
          truncated: false,
          startFailed: false,
        }),
      probeEnvironment: () => Promise.resolve({}),
      readState: () => Promise.resolve(undefined),
    }),
    snapshots: { take: () => Promise.resolve(undefined), changesSince: () => Promise.resolve(undefined) },
    consent: { given: () => false, ask: () => Promise.resolve(false) },
    sandboxes: {
      available: () => Promise.resolve({ ok: false, why: 'it is switched off' }),
      prepare: () => assert.fail('there is no sandbox'),
    },
    surroundings: () => Promise.resolve({ variables: { HOME: '/home/x' }, path: '/bin', extra: {} }),
    outOfService: () => Promise.resolve(undefined),
    illHealth: () => Promise.resolve(undefined),
    limits: (timeoutMs) => ({ wallMs: timeoutMs ?? 1_800_000, silenceMs: 300_000 }),
    guard: undefined,
    startWorker: workers.start,
    depth: 0,
  };
}
