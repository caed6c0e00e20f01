import { realpath } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import { isInside } from '../base/inside.ts';
import type { Logger } from '../base/logger.ts';
import { pause } from '../base/pause.ts';
import { findRepository } from '../git/repository.ts';
import type { RunRecord } from '../journal/entry.ts';
import type { RunInProgress } from './liveRun.ts';

/** Nobody tells of the end of other processes' runs, so they are looked for this often, in milliseconds. */
const lookMs = 1_000;

export interface WritersDeps {
  clock: Clock;
  log: Logger;
  journal: { read(): Promise<RunRecord[]> };
}

/** Keeps apart the runs that may write in the same checkout: one at a time, whichever process it is of. */
export class Writers {
  readonly #deps: WritersDeps;
  /** Where the live runs of this process write, by run id. */
  readonly #checkouts = new Map<string, Checkout>();

  constructor(deps: WritersDeps) {
    this.#deps = deps;
  }

  /**
   * What must be over before a run may write in `cwd`; undefined when nothing is in its way. `earlier` are the live runs
   * of this process that were asked for before it. The run must be in the journal already.
   */
  async before(
    run: RunInProgress,
    cwd: string,
    earlier: readonly RunInProgress[],
  ): Promise<{ over: Promise<unknown>; note: string } | undefined> {
    const checkout = await checkoutOf(cwd);
    const own = earlier.filter(({ id }) => {
      const place = this.#checkouts.get(id);
      return place !== undefined && isSameCheckout(place, checkout);
    });
    this.#checkouts.set(run.id, checkout);
    void run.result.then(() => this.#checkouts.delete(run.id));
    const others = async () => foreignWriters(run.record, checkout, await this.#deps.journal.read());
    const foreign = (await others()).length > 0;
    if (own.length === 0 && !foreign) return undefined;
    const ended = Promise.all(own.map(({ result }) => result));
    const over = ended.then(() => (foreign ? this.#whenNone(others, run.signal) : undefined));
    return { over, note: waited(checkout) };
  }

  /** Never rejects. */
  async #whenNone(others: () => Promise<RunRecord[]>, signal: AbortSignal): Promise<void> {
    try {
      while ((await others()).length > 0) await pause(this.#deps.clock, lookMs, signal);
    } catch (error) {
      if (!signal.aborted) this.#deps.log.warn(`waiting for other writers: ${String(error)}`);
    }
  }
}

const waited = ({ git }: Checkout) =>
  `It waited for another run that may write in the same checkout.${git ? '' : ' The folder is under no git, so it can have no worktree of its own.'}`;

/** What a writing run has to itself: a git work tree (and nothing below another one), or a plain folder with all in it. */
interface Checkout {
  top: string;
  git: boolean;
}

function isSameCheckout(a: Checkout, b: Checkout): boolean {
  if (a.git || b.git) return a.git && b.git && a.top === b.top;
  return isInside(a.top, b.top) || isInside(b.top, a.top);
}

/** The work tree or folder that a run in `cwd` writes in. */
async function checkoutOf(cwd: string): Promise<Checkout> {
  const repository = await findRepository(cwd);
  return repository ? { top: repository.root, git: true } : { top: await realpath(cwd), git: false };
}

/**
 * Runs of other processes that write in the same checkout and go first. `records` are the journal's, and `own` is in it
 * already, so that of two runs that look at each other exactly one waits: the one that was asked for later.
 */
async function foreignWriters(own: RunRecord, checkout: Checkout, records: readonly RunRecord[]): Promise<RunRecord[]> {
  const rivals = records.filter(
    (record) =>
      record.status === 'running' &&
      record.access !== 'readOnly' &&
      record.leads === undefined &&
      !isSameOwner(record.owner, own.owner) &&
      isBefore(record, own),
  );
  const places = await Promise.all(rivals.map(({ cwd }) => checkoutOf(cwd).catch(() => undefined)));
  return rivals.filter((_, index) => {
    const place = places[index];
    return place !== undefined && isSameCheckout(place, checkout);
  });
}

const isSameOwner = (a: RunRecord['owner'], b: RunRecord['owner']) => a.pid === b.pid && a.startedAt === b.startedAt;

const isBefore = (a: RunRecord, b: RunRecord) =>
  a.startedAt < b.startedAt || (a.startedAt === b.startedAt && a.runId < b.runId);
