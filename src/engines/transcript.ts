import type { Outcome } from '../protocol/model.ts';
import type { Action, Conversation, Ended, Received } from './engine.ts';
import { failureBy, withQuote, type FailureRule } from './failure.ts';
import { readJson } from './outputLine.ts';

/** What is different between the conversations of two CLIs. */
interface Dialect {
  title: string;
  /** Told by their words, for a process that ended without a terminal event. */
  failures: readonly FailureRule[];
  start: Action[];
  interrupt?: Action[];
  /** What one line meant, parsed. Undefined when it is nothing this CLI prints. */
  read(event: unknown): Received | undefined;
  /** An error the CLI announced without ending over it: the better explanation when it then ends. */
  lastError?: () => string | undefined;
}

const maxKeptChars = 2_000;
const nothing: Received = { events: [] };

/** A conversation over JSON lines: unreadable lines are counted and skipped, the first outcome stands. */
export function converse(dialect: Dialect): Conversation {
  let outcome: Outcome | undefined;
  let unreadable = 0;
  let strayText = '';
  let warnedOfCut = false;

  const receive = (line: string, cut: boolean): Received => {
    if (outcome || line.trim() === '') return nothing;
    const received = dialect.read(readJson(line, cut));
    if (!received) {
      unreadable++;
      strayText = `${strayText}${line.slice(0, maxKeptChars)}\n`.slice(0, maxKeptChars);
      return nothing;
    }
    outcome = received.outcome;
    if (!cut || warnedOfCut) return received;
    warnedOfCut = true;
    const warning = `A line of ${dialect.title}'s output was too long and was cut; what it said may be incomplete.`;
    return { ...received, events: [...received.events, { kind: 'warning', text: warning }] };
  };

  return {
    start: () => dialect.start,
    receive,
    interrupt: () => (outcome ? [] : (dialect.interrupt ?? [])),
    ended: (how) => outcome ?? withoutResult(dialect, how, { unreadable, strayText }),
  };
}

/** The outcome of a process that ended without its terminal event, whatever its exit code. */
function withoutResult(
  { title, failures, lastError }: Dialect,
  how: Ended,
  { unreadable, strayText }: { unreadable: number; strayText: string },
): Outcome {
  const words = [lastError?.(), how.stderrTail, strayText];
  for (const each of words) {
    const known = each === undefined ? undefined : failureBy(failures, title, tellingLine(each, failures));
    if (known) return { status: 'failed', ...known };
  }
  const lines = unreadable === 1 ? 'One line' : `${unreadable} lines`;
  const noise = unreadable === 0 ? '' : ` ${lines} of its output could not be read.`;
  const said = words.map((each) => tellingLine(each ?? '', [])).find((line) => line !== '') ?? '';
  const clean = how.code === 0 && how.signal === null;
  const end = clean ? 'ended without a result' : `stopped before it finished (${describeEnd(how)})`;
  return {
    status: 'failed',
    reason: how.signal === null && (how.code === 0 || unreadable > 0) ? 'badOutput' : 'exited',
    message: withQuote(`${title} ${end}.${noise} Try again, or choose another engine.`, title, said),
  };
}

function describeEnd({ code, signal }: Ended): string {
  return signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
}

/** Of several lines the one that a rule knows, else the last that speaks of an error, else the last. */
function tellingLine(text: string, rules: readonly FailureRule[]): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (
    lines.find((line) => rules.some(({ when }) => when.test(line))) ??
    lines.findLast((line) => /\berror\b/i.test(line)) ??
    lines.at(-1) ??
    ''
  );
}
