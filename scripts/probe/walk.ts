import { setTimeout as delay } from 'node:timers/promises';
import { readScreen, type Screen } from '../../src/cursor/tui/prompts.ts';
import { showsText } from '../../src/cursor/tui/shownText.ts';
import { gaps } from '../../src/cursor/tui/steps.ts';
import type { StoreLook } from './chat.ts';
import type { ProbeKind } from './kinds.ts';
import type { ProbePane } from './pane.ts';
import type { Person } from './person.ts';
import { judge, type Records } from './records.ts';

/** How long things may take, in milliseconds. */
export interface Patience {
  /** The screen stands still when it has not changed for so long. */
  stillMs: number;
  /** How long a call may be pending without a prompt that is known, before the screen is recorded as it is. */
  paintMs: number;
  /** How long the agent may take until it asks, or is idle again. */
  turnMs: number;
}

export const patience: Patience = { stillMs: 800, paintMs: 20_000, turnMs: 180_000 };

export interface Walk {
  pane: ProbePane;
  person: Person;
  records: Records;
  stores: () => Promise<StoreLook[]>;
  patience: Patience;
  signal: AbortSignal;
}

/** The person wants no more of it, or is gone. */
class Quit extends Error {}

/** What the agent does after a message. */
interface Seen {
  kind: 'prompt' | 'idle' | 'late';
  rows: string[];
  looks: StoreLook[];
}

const quiet: readonly Screen['kind'][] = ['idle', 'busy', 'draft'];
const lookMs = 100;

/** Goes through the kinds with the person, until there are no more or they quit. Nothing is sent without their Enter. */
export async function walk(walk: Walk, kinds: readonly ProbeKind[]): Promise<void> {
  try {
    await atStart(walk);
    for (const [index, kind] of kinds.entries()) {
      walk.person.tell(`\n${index + 1} of ${kinds.length}: ${kind.title}`);
      if (kind.note !== undefined) walk.person.tell(kind.note);
      await probeOne(walk, kind);
    }
  } catch (error) {
    if (!(error instanceof Quit) && !walk.signal.aborted) throw error;
  }
}

/** The question whether to trust the folder comes first; it is the person's own. */
async function atStart(walk: Walk): Promise<void> {
  const { person, records } = walk;
  const { rows, kind } = await whenShown(walk, ['trust', 'idle']);
  if (kind === 'trust') {
    await records.add('trust', rows, []);
    person.tell('cursor-agent asks whether to trust the sample folder. Answer that in its pane; the probe never does.');
  }
}

async function probeOne(walk: Walk, kind: ProbeKind): Promise<void> {
  const { person, records } = walk;
  person.tell(`On Enter the probe types this into cursor-agent and presses Enter there:\n\n  ${kind.message}\n`);
  for (;;) {
    const answer = await ask(person, 'Enter = send it, s = skip this one, q = end: ');
    if (answer === 's') {
      records.note({ kind: kind.id, outcome: 'skipped', detail: '' });
      return;
    }
    if (answer !== '') continue;
    const problem = await send(walk, kind.message);
    if (problem === undefined) break;
    person.tell(`${problem} Nothing more was sent. See to it in the pane, then press Enter to try again.`);
  }
  for (let count = 1; ; count += 1) {
    const seen = await whenAsked(walk);
    if (seen.kind === 'prompt') await onPrompt(walk, count === 1 ? kind.id : `${kind.id}-${count}`, seen);
    else {
      if (count === 1) records.note({ kind: kind.id, outcome: 'no prompt appeared', detail: endOf(seen) });
      person.tell(count === 1 ? `No prompt appeared: ${endOf(seen)}` : 'Answered.');
      return;
    }
  }
}

function endOf({ kind }: Seen): string {
  return kind === 'idle' ? 'the agent finished without asking' : 'the agent took too long';
}

/** Types the message where the agent waits for one. Why it did not, else. */
async function send(walk: Walk, message: string): Promise<string | undefined> {
  const { pane, patience: wait, signal } = walk;
  const { kind } = await whenShown(walk, ['idle', 'draft']);
  if (kind !== 'idle') return 'cursor-agent does not wait for a message now, or something is typed in already.';
  await pane.type(message);
  await delay(gaps.beforeEnter, undefined, { signal });
  const typed = readScreen(await pane.stillRows({ stillMs: wait.stillMs, timeoutMs: wait.paintMs }, signal));
  if (typed.kind !== 'draft' || !showsText([typed.text], message)) {
    return 'The message does not show in the pane as it was typed. Take it out there.';
  }
  await pane.press('Enter');
  return undefined;
}

/** The screen once it stands still with one of these, or as it is when that takes too long. */
async function whenShown(
  { pane, patience: { stillMs, paintMs }, signal }: Walk,
  kinds: readonly Screen['kind'][],
): Promise<{ rows: string[]; kind: Screen['kind'] }> {
  const started = performance.now();
  for (;;) {
    const rows = await pane.stillRows({ stillMs, timeoutMs: paintMs }, signal);
    const { kind } = readScreen(rows);
    if (kinds.includes(kind) || performance.now() - started >= paintMs) return { rows, kind };
    await delay(lookMs, undefined, { signal });
  }
}

/** Waits until a call is pending and the screen stands still with its prompt, or the agent is done. */
async function whenAsked({ pane, stores, patience: { stillMs, paintMs, turnMs }, signal }: Walk): Promise<Seen> {
  const started = performance.now();
  let pendingSince: number | undefined;
  let idleSince: number | undefined;
  for (;;) {
    const rows = await pane.stillRows({ stillMs, timeoutMs: stillMs * 2 }, signal);
    const looks = await stores();
    const now = performance.now();
    const isPending = looks.some(({ pending, certainty }) => pending.length > 0 || certainty === 'unknownLayout');
    const { kind } = readScreen(rows);
    pendingSince = isPending ? (pendingSince ?? now) : undefined;
    idleSince = !isPending && kind === 'idle' ? (idleSince ?? now) : undefined;
    // A call that runs by itself is pending, too, and a prompt that nobody knows may look like anything.
    const isLate = pendingSince !== undefined && now - pendingSince >= paintMs;
    if (isPending && (!quiet.includes(kind) || isLate)) return { kind: 'prompt', rows, looks };
    if (idleSince !== undefined && now - idleSince >= 2 * stillMs) return { kind: 'idle', rows, looks };
    if (now - started >= turnMs) return { kind: 'late', rows, looks };
    await delay(lookMs, undefined, { signal });
  }
}

async function onPrompt(walk: Walk, id: string, { rows, looks }: Seen): Promise<void> {
  const { person, records, pane, stores } = walk;
  const { recognised, screen } = await records.add(id, rows, looks);
  person.tell(recognised ? `Recorded: Sallyport recognises it (${screen}).` : `Recorded: NOT recognised (${screen}).`);
  const calls = idsOf(looks);
  let mayEscape = true;
  for (;;) {
    const choices = mayEscape
      ? 'Enter = I have answered it in the pane, e = let the probe press Escape, q = end: '
      : 'Enter = I have finished it in the pane, q = end: ';
    const answer = await ask(person, choices);
    const now = await pane.rows();
    const isSame = now.join('\n') === rows.join('\n') && idsOf(await stores()) === calls;
    if (answer === '' && !isSame) return;
    if (answer === '') person.tell('It is still there.');
    if (answer !== 'e' || !mayEscape) continue;
    if (!isSame) {
      person.tell('The screen has changed: nothing was sent. Look at the pane.');
      continue;
    }
    // Once for a prompt: a second one goes back to the menu, where Enter approves.
    mayEscape = false;
    await pane.press('Escape');
    if (!(await afterEscape(walk, id))) return;
  }
}

/** The box for the reason may have opened. Returns whether the person still has to finish something. */
async function afterEscape(walk: Walk, id: string): Promise<boolean> {
  const { person, records, pane, stores, patience: wait, signal } = walk;
  await delay(gaps.beforeEnter, undefined, { signal });
  const rows = await pane.stillRows({ stillMs: wait.stillMs, timeoutMs: wait.paintMs }, signal);
  if (readScreen(rows).kind !== 'reasonBox') return judge(rows, await stores()).owner !== 'none';
  await records.add(`${id}-reason`, rows, await stores());
  person.tell('Recorded: the box for the reason is open.');
  const answer = await ask(
    person,
    'r = let the probe press Enter in it (rejects without a reason), Enter = I finish it in the pane: ',
  );
  if (answer !== 'r') return true;
  const isSame = (await pane.rows()).join('\n') === rows.join('\n');
  if (isSame) await pane.press('Enter');
  else person.tell('The screen has changed: nothing was sent. Look at the pane.');
  return !isSame;
}

async function ask(person: Person, question: string): Promise<string> {
  const answer = await person.ask(question);
  if (answer === undefined || answer === 'q') throw new Quit();
  return answer;
}

function idsOf(looks: readonly StoreLook[]): string {
  return JSON.stringify(looks.flatMap(({ pending }) => pending.map(({ toolCallId }) => toolCallId)));
}
