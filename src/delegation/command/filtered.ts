import { rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { AttemptDeps } from '../attempt.ts';
import type { Verdict } from '../answer.ts';
import { whileLed } from '../fanOut.ts';
import type { RunInProgress } from '../liveRun.ts';
import { bound } from '../output.ts';
import type { CheckedAnswer, Filtered, LiveRun, RunResult, Task } from '../task.ts';
import { type LogExtent, logName, readEnds, writeLog } from './logFile.ts';
import { checkQuotes } from './quotes.ts';
import { type CommandEnd, runCommand } from './runCommand.ts';

export interface FilteredDeps extends AttemptDeps {
  /** Starts the agent that filters. `task.cwd` holds the log and nothing else. */
  startFilter(task: Task): LiveRun;
}

/** Shorter output is returned as it is: an agent would cost more than it saves. In characters. */
const directChars = 2_000;
const filterMs = 5 * 60_000;
/** What is shown of an output that nobody filtered, in bytes. */
const shownHead = 2_000;
const shownTail = 4_000;

/** A log that lies in the run's folder, and how its command ended. */
interface Captured {
  end: CommandEnd;
  folder: string;
  extent: LogExtent;
  /** In words, as Sallyport saw it. */
  outcome: string;
}

/**
 * Runs a command in the run's turn and returns what matters of its output. Whatever becomes of the filtering, the result
 * has how the command ended and where the whole log is.
 */
export async function carryOutFiltered(
  run: RunInProgress,
  asked: Filtered,
  inTurn: <T>(work: () => Promise<T>) => Promise<T>,
  deps: FilteredDeps,
): Promise<Verdict> {
  const captured = await inTurn(() => capture(run, asked, deps));
  if ('failure' in captured) return { failure: captured.failure, notes: [] };
  // The turn is over: one who waits for an agent must not keep agents from running.
  const answer = await answerFor(run, asked, captured, deps);
  const { end, extent, outcome } = captured;
  const size = `${count(extent.lines, 'line')}, ${count(extent.chars, 'character')}`;
  const where = extent.chars === 0 ? 'It printed nothing.' : `Whole output (${size}): ${asked.address(run.id)}`;
  const secrets = extent.redactions === 0 ? [] : [`${count(extent.redactions, 'secret')} taken out of the log.`];
  const notes = [...end.notes, ...secrets, ...answer.notes];
  const led = {
    text: [outcome, where, '', answer.text].join('\n').trimEnd(),
    ...(answer.handle !== undefined && { handle: answer.handle }),
  };
  const reason = end.stopped ?? (run.signal.aborted ? 'cancelled' : undefined);
  return {
    ...(reason && { failure: { reason, message: outcome } }),
    ...{ led, files: end.files, charsRead: extent.chars, notes },
  };
}

async function capture(run: RunInProgress, asked: Filtered, deps: FilteredDeps) {
  const end = await runCommand(run, asked, deps);
  if ('failure' in end) return end;
  const folder = await deps.folders.logFolder(run.id);
  run.enter({ kind: 'running', step: 'its output is looked through for secrets' });
  try {
    // What a cancelled command had printed is kept too.
    const extent = await writeLog(end.output.read(), join(folder, logName), deps.redactor);
    return { end, folder, extent, outcome: outcomeOf(end) } satisfies Captured;
  } catch (error) {
    await rm(join(folder, logName), { force: true });
    const why = error instanceof Error ? error.message : String(error);
    const message = `${outcomeOf(end)}\nThe command was run, but its output is lost: ${why}`;
    return { failure: { reason: end.stopped ?? ('environment' as const), message } };
  } finally {
    end.output.close();
  }
}

interface Answer {
  text: string;
  handle?: string;
  notes: string[];
}

async function answerFor(run: RunInProgress, asked: Filtered, captured: Captured, deps: FilteredDeps): Promise<Answer> {
  const { extent, folder, outcome } = captured;
  const file = join(folder, logName);
  if (extent.chars <= directChars) {
    const { head } = await readEnds(file, directChars * 4, 0);
    const why = extent.chars === 0 ? '' : `All of it, unfiltered because it is short:\n`;
    return { text: `${why}${head}`, notes: [] };
  }
  if (run.signal.aborted) return unfiltered(file, 'Cancelled, so nobody filtered it.');
  run.enter({ kind: 'running', step: `an agent filters ${count(extent.lines, 'line')}` });
  const agent = deps.startFilter({
    ...asked.filter({ outcome, lines: extent.lines, chars: extent.chars, file: logName }),
    ...{ tool: `${asked.tool}_agent`, access: 'readOnly', cwd: folder, usualMs: filterMs },
    check: (answer) => checked(answer, file),
  });
  const result = await whileLed(run, [{ run: agent }], () => agent.result);
  return { ...(await textOf(result, asked, file)), ...(result.handle !== undefined && { handle: result.handle }) };
}

async function textOf(result: RunResult, { maxChars }: Filtered, file: string): Promise<Answer> {
  if (result.status === 'completed') {
    return { text: bound(result.text, maxChars, '', 'ask for less, or page the whole output'), notes: result.notes };
  }
  const why = `The agent that was to filter it failed (${result.reason ?? 'no reason'}): ${bound(result.text, 600, '', 'see the log')}`;
  const shown = await unfiltered(file, why);
  return { ...shown, notes: result.notes };
}

/** Nothing is lost when nobody filters: the ends tell the most. */
async function unfiltered(file: string, why: string): Promise<Answer> {
  const { head, tail } = await readEnds(file, shownHead, shownTail);
  return { text: `${why}\nBeginning and end of the output:\n\n${head}\n[…]\n${tail}`, notes: [] };
}

async function checked(answer: string, file: string): Promise<CheckedAnswer> {
  const { text, renumbered, dropped } = await checkQuotes(answer, file);
  const said = [
    [renumbered, 'had a wrong number, which was corrected'],
    [dropped, 'could not be found in the output and was left out'],
  ] as const;
  const parts = said.flatMap(([lines, what]) => (lines > 0 ? [`${lines} ${what}`] : []));
  if (text === '') {
    const message = 'No line of its answer is in the output.';
    return { text, notes: [], failure: { reason: 'badRequest', message } };
  }
  return { text, notes: parts.length === 0 ? [] : [`Of the quoted lines, checked: ${parts.join('; ')}.`] };
}

/** How it ended. A shell tells of a command that a signal ended by a code above 128. */
function outcomeOf({ exit: { code, signal }, stopped, durationMs }: CommandEnd): string {
  const time = `${(durationMs / 1000).toFixed(1)} s`;
  if (stopped === 'timedOut') return `Time-out: stopped after ${time}, so there is no exit code.`;
  if (stopped === 'cancelled') return `Cancelled: stopped after ${time}, so there is no exit code.`;
  if (signal) return `Ended by signal ${signal} after ${time}.`;
  const named = Object.entries(constants.signals).find(([, number]) => number === (code ?? 0) - 128)?.[0];
  return `Exit code ${code ?? 'unknown'}${named === undefined ? '' : ` (as after signal ${named})`}, ${time}.`;
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`;
}
