import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isInside } from '../base/inside.ts';
import type { Engine, RunRequest } from '../engines/engine.ts';
import { workerEnvironment } from '../process/environment.ts';
import type { Difference } from '../git/snapshot.ts';
import type { startWorker, WorkerSpec } from '../process/spawn.ts';
import type { Access, Failure, FailureReason, FileChange, Snapshot } from '../protocol/model.ts';
import {
  type Confinement,
  confinementNotes,
  confinementOf,
  guardedGit,
  guardedGitWarning,
  lackOfSandbox,
  launchAccess,
  sandboxFailure,
  type Sandboxes,
} from './confinement.ts';
import type { Job } from './job.ts';
import { keepStory } from './keepsakes.ts';
import type { RunInProgress } from './liveRun.ts';
import { followEvent, type ProgressDeps } from './progress.ts';
import type { Roster } from './roster.ts';
import { describeDuration, run as runWorker, type RunEnd, type RunLimits } from './run.ts';
import type { RunFolders } from './runFolder.ts';
import { watchStrayFolders } from './strayFolders.ts';
import type { Candidate } from './tiers.ts';

/** The state of a workspace before and after, as the git room tells it. Paths are relative to the snapshot's root. */
export interface Snapshots {
  /** Undefined where there is no git, no repository around the folder, or git cannot tell. */
  take(cwd: string, objects: string, signal: AbortSignal): Promise<Snapshot | undefined>;
  /** What is different now, and the state of now; undefined when git cannot tell. */
  changesSince(before: Snapshot): Promise<Difference | undefined>;
}

/** Whether workers may act in a folder without a sandbox. Only the person can say so, once per workspace. */
export interface Consent {
  given(cwd: string): boolean;
  /** Asks the person. Absent where there is nobody to ask. */
  ask?: (who: ConsentSubject, cwd: string, signal: AbortSignal) => Promise<boolean>;
}

/** What would act without a sandbox: an agent, or a shell command as a client gave it. */
export type ConsentSubject = { kind: 'agent'; title: string } | { kind: 'command'; command: string };

/** The environment workers get their part of: the process's own variables and the person's real PATH. */
export interface Surroundings {
  variables: Record<string, string | undefined>;
  path: string;
  /** What the settings add for every worker. */
  extra: Record<string, string>;
}

export interface AttemptDeps extends ProgressDeps {
  roster: Roster;
  folders: RunFolders;
  snapshots: Snapshots;
  consent: Consent;
  sandboxes: Sandboxes;
  surroundings(): Promise<Surroundings>;
  limits(timeoutMs: number | undefined): RunLimits;
  guard: WorkerSpec['guard'];
  startWorker: typeof startWorker;
  /** How deep this process already is in delegations; a worker's environment says one more. */
  depth: number;
}

/** What came of giving a job to one candidate. */
export interface Attempt {
  failure?: Failure;
  end?: RunEnd;
  files: FileChange[];
  notes: string[];
  /** Nothing was done yet and another engine may fare better. */
  mayMove: boolean;
}

export interface Assignment extends Job {
  candidate: Candidate;
  engine: Engine;
}

/** Failures that say something of the engine and not of what was asked. */
const movable: ReadonlySet<FailureReason> = new Set([
  'notInstalled',
  'notSignedIn',
  'rateLimited',
  'environment',
  'exited',
  'badOutput',
]);

/** Gives a job to one candidate. The run's phase, events and journal follow what the worker does. */
export async function attempt(run: RunInProgress, work: Assignment, deps: AttemptDeps): Promise<Attempt> {
  const refuse = (reason: FailureReason, message: string): Attempt => ({
    failure: { reason, message },
    files: [],
    notes: [],
    mayMove: true,
  });
  const confinement = await confinementOf(work.engine, work.task, deps.sandboxes);
  const access = launchAccess(work.task.access, confinement);
  const impossible = work.engine.refuses(requestOf(run, work, { access, consent: true }, deps));
  if (impossible !== undefined) return refuse('badRequest', impossible);
  const readiness = await deps.roster.ready(work.engine);
  if (!readiness.ok) return refuse(readiness.reason, readiness.message);
  // Last, so that the person is asked only for what would then start.
  const consent = confinement.kind === 'sandbox' || (await consentFor(run, work, access, deps));
  run.signal.throwIfAborted();
  if (consent === 'declined') return declined(work.engine);
  const request = requestOf(run, work, { access, consent }, deps);
  const refusal = work.engine.refuses(request);
  if (refusal !== undefined) return refuse('badRequest', `${refusal}${lackOfSandbox(confinement)}`);
  const attempted = await runOn(readiness.installed.binary, run, work, request, confinement, deps);
  return { ...attempted, notes: [...confinementNotes(work.engine, confinement), ...attempted.notes] };
}

async function runOn(
  binary: string,
  run: RunInProgress,
  { engine, task }: Assignment,
  draft: RunRequest,
  confinement: Confinement,
  deps: AttemptDeps,
): Promise<Attempt> {
  const writes = draft.access !== 'readOnly';
  const [folder, realFolder, { variables, path, extra }, removeStrays] = await Promise.all([
    deps.folders.create(run.id),
    // The worker may remove the folder it works in.
    realpath(draft.cwd),
    deps.surroundings(),
    watchStrayFolders(draft.cwd, writes ? engine.strayFolders : []),
  ]);
  const env = workerEnvironment({
    from: variables,
    allow: engine.environment,
    set: extra,
    path,
    runId: run.id,
    depth: deps.depth + 1,
  });
  const keeping = writes ? keepState(run, draft.cwd, folder.objects, deps) : Promise.resolve(undefined);
  const held = { access: draft.access, workspace: draft.cwd, scratch: folder.scratch, env, program: binary };
  const preparing =
    confinement.kind === 'sandbox' ? deps.sandboxes.prepare({ ...held, state: engine.state }) : undefined;
  const sandbox = await preparing?.catch(async (error: unknown) => {
    await keeping;
    throw error;
  });
  const look = async () => {
    const before = await keeping;
    return before && deps.snapshots.changesSince(before);
  };
  let looking: ReturnType<typeof look> | undefined;
  const endStory = keepStory(run, task.prompt, deps);
  run.enter({ kind: 'running', step: `Starting ${engine.title}` });
  const end = await runWorker(
    {
      engine,
      request: {
        ...draft,
        prompt: sandbox?.guardsGit && writes ? `${draft.prompt} ${guardedGit}` : draft.prompt,
        scratch: folder.scratch,
      },
      runId: run.id,
      binary,
      env,
      ...(sandbox && { confine: (program) => sandbox.confine(program) }),
      ...(sandbox?.guardsGit && writes && { warningIn: guardedGitWarning }),
      guard: deps.guard,
      ready: keeping,
      limits: deps.limits(task.timeoutMs),
      onEvent: (event) => followEvent(run, event, deps),
      onDone: () => {
        looking = look();
      },
      signal: run.signal,
    },
    deps,
  );
  const before = await keeping;
  await endStory();
  await removeStrays();
  const tidied = (await sandbox?.tidy()) ?? [];
  const tidy = (removal: Promise<void>) =>
    removal.catch((error: unknown) => deps.log.warn(`run ${run.id}: ${String(error)}`));
  await tidy(deps.folders.clearScratch(run.id));
  const seen = await (end.survivors > 0 ? look() : (looking ?? look()));
  await tidy(keepOrDrop(run.id, seen, deps.folders));
  const files = before && seen ? relativeTo(realFolder, before.root, seen.changes) : writes ? end.reportedChanges : [];
  const notes = [...tidied, ...end.warnings.slice(0, maxWarnings), ...(writes && !seen ? [unseenChanges] : [])];
  if (end.outcome.status === 'completed') return { end, files, notes, mayMove: false };
  const { reason, message } = sandbox ? sandboxFailure(end, end.outcome) : end.outcome;
  return { end, files, notes, failure: { reason, message }, mayMove: !end.acted && movable.has(reason) };
}

/** The state after a run tells its own changes from later ones. Where there are none, neither state is of use. */
export async function keepOrDrop(runId: string, seen: Difference | undefined, folders: RunFolders): Promise<void> {
  if (!seen) return;
  if (seen.changes.length === 0) await folders.dropSnapshots(runId);
  else await folders.keepSnapshot(runId, 'after', seen.after);
}

/** A state that cannot be kept costs the list of changes, never the run. */
export async function keepState(
  run: RunInProgress,
  cwd: string,
  objects: string,
  deps: AttemptDeps,
): Promise<Snapshot | undefined> {
  const report = (error: unknown) => deps.log.warn(`run ${run.id}: the state before it was not kept: ${String(error)}`);
  try {
    const state = await deps.snapshots.take(cwd, objects, run.signal);
    // Without it there is no diff later on; what has changed can be told all the same.
    if (state) await deps.folders.keepSnapshot(run.id, 'before', state).catch(report);
    return state;
  } catch (error) {
    report(error);
    return undefined;
  }
}

/** The first ones tell the most, and a result is short. */
const maxWarnings = 5;
const unseenChanges =
  'The folder is not under git (or its state could not be read or kept: the log says why): only changes that the agent reported itself are listed, and there is no diff.';

/** Asks only when the engine cannot do without, and at most once per run. */
async function consentFor(
  run: RunInProgress,
  { task, engine, origin }: Assignment,
  access: Access,
  deps: AttemptDeps,
): Promise<boolean | 'declined'> {
  const folder = origin ?? task.cwd;
  if (deps.consent.given(folder)) return true;
  const asked = { access, web: task.web ?? false, prompt: task.prompt };
  const needed = engine.refuses({ ...asked, unsandboxedConsent: false }) !== undefined;
  if (!needed || !deps.consent.ask) return false;
  return (await deps.consent.ask({ kind: 'agent', title: engine.title }, folder, run.signal)) || 'declined';
}

/** The person's no is an answer, and no reason to hand the task to somebody else. */
function declined({ title }: Engine): Attempt {
  const message = `${title} was not allowed to work without a sandbox, so nothing was started. Delegate again to allow it, or choose another agent.`;
  return { failure: { reason: 'badRequest', message }, files: [], notes: [], mayMove: false };
}

function requestOf(
  run: RunInProgress,
  work: Assignment,
  { access, consent }: { access: Access; consent: boolean },
  deps: AttemptDeps,
): RunRequest {
  const { task, candidate, resume } = work;
  const minutes = describeDuration(deps.limits(task.timeoutMs).wallMs);
  return {
    prompt: `${task.prompt}\n\nYou have ${minutes} for this. Nobody can answer questions meanwhile: decide yourself, and say what you decided.`,
    ...(task.instructions !== undefined && { instructions: task.instructions }),
    access,
    cwd: task.cwd,
    ...(candidate.model !== undefined && { model: candidate.model }),
    ...(candidate.effort !== undefined && { effort: candidate.effort }),
    ...(resume && { resume }),
    web: task.web ?? false,
    unsandboxedConsent: consent,
    newSessionId: run.id,
    scratch: '',
  };
}

/** Git tells paths relative to its own root; a run tells them relative to its (real) folder where they lie inside. */
export function relativeTo(folder: string, root: string, changes: FileChange[]): FileChange[] {
  return changes.map((change) => {
    const path = join(root, change.path);
    return { ...change, path: isInside(path, folder) ? relative(folder, path).split(sep).join('/') : path };
  });
}
