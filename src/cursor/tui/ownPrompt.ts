import { argumentNames } from '../calls/argumentNames.ts';
import { canGate } from '../calls/gates.ts';
import { type PromptedCall, pathTails, shownArguments, type ShownArgument } from './arguments.ts';
import { asksQuestions, parseQuestions } from './askedQuestions.ts';
import { alignForm } from './form.ts';
import { mayLookLike } from './lookalike.ts';
import type { Screen, Subject } from './prompts.ts';
import { fold } from './rows.ts';
import { afterText, showsText } from './shownText.ts';

/** Whose the prompt on the screen is, of the calls that are pending. */
export type Ownership<Call> = { kind: 'none' } | { kind: 'ambiguous' } | { kind: 'call'; call: Call };

/** `🌐 Web Fetch: https://…`, `Delete file: notes.txt`, `in src/a.ts`. */
const label = /^(?:(?:\p{Extended_Pictographic}\ufe0f? *)?\p{Lu}[\p{L} ]{1,30}:(?: |$)|in )/u;
/** `tracker: create_ticket`, the name of a tool below the question. */
const toolName = /^(?!Not in allowlist: )\S.*: \S/;
const blocked = /^Not in allowlist: /;
const separators = /&&|\|\||[;|&\n]/;
/** What is left of a text whose beginning has left the screen tells it apart only when it is long. */
const minTail = 40;

/**
 * Whose prompt the screen shows. When several pending calls fit it is `ambiguous`, and no key may be sent for any of them.
 * Give all pending calls of the session, those of its sub-agents too.
 */
export function whosePrompt<Call extends PromptedCall>(screen: Screen, pending: readonly Call[]): Ownership<Call> {
  const [call, other] = claimants(screen, pending);
  if (!call) return { kind: 'none' };
  return other ? { kind: 'ambiguous' } : { kind: 'call', call };
}

/**
 * Every pending call whose prompt this may be: those it matches, and those whose texts may have been made to look like one of
 * them. Calls that ask nobody count only where no other one fits.
 */
export function claimants<Call extends PromptedCall>(screen: Screen, pending: readonly Call[]): Call[] {
  const fitting = pending.filter((each) => matches(screen, each));
  const asking = fitting.filter(({ toolName }) => canGate(toolName));
  const own = asking.length > 0 ? asking : fitting;
  return pending.filter(
    (each) =>
      own.includes(each) ||
      own.some((call) => mayLookLike(each, call)) ||
      (own.length > 0 && mayBeEmptyForm(screen, each)),
  );
}

/**
 * Whether the screen shows this call's own prompt or the reason box that follows it, by the argument it shows: command, path,
 * address, question. A prompt that shows no argument is nobody's, but for a mode switch.
 */
export function matches(screen: Screen, call: PromptedCall): boolean {
  if (screen.kind === 'question') {
    const questions = parseQuestions(call.args);
    if (screen.picker.rows.length === 0) return mayBeEmptyForm(screen, call) && !questions?.length;
    return questions !== undefined && alignForm(screen.picker, questions) !== undefined;
  }
  if (screen.kind === 'modeSwitch') return /switch_?mode/i.test(call.toolName) && showsMode(screen.subject, call);
  if (screen.kind !== 'approval' && screen.kind !== 'reasonBox' && screen.kind !== 'draft') return false;
  return shownArguments(call).some((argument) => shows(screen.subject, argument));
}

/** A form that shows no question tells nothing of whose it is. */
function mayBeEmptyForm(screen: Screen, call: PromptedCall): boolean {
  return screen.kind === 'question' && screen.picker.rows.length === 0 && asksQuestions(call.toolName);
}

function shows(subject: Subject, argument: ShownArgument): boolean {
  if (argument.kind === 'command') return showsCommand(subject, argument.command, argument.folder);
  const namesFile = subject.below.some((row) => row.startsWith('in '));
  const above = subject.cut || namesFile ? [] : [fromFirst(subject.above)];
  // What looks like a label may be part of the argument.
  const places = [fromFirst(subject.below), ...above].flatMap((rows) => [rows, unlabelled(rows)]);
  if (argument.kind === 'path') {
    return pathTails(argument.path).some((tail) => places.some((rows) => firstRowsShow(relative(rows), tail)));
  }
  if (argument.kind === 'text') {
    return places.some((rows) => firstRowsShow(rows, argument.text)) || showsText(askingRows(subject), argument.text);
  }
  return showsTool(subject, argument.server, argument.tool, argument.args);
}

function showsCommand(subject: Subject, command: string, folder: string | undefined): boolean {
  const { below, above, cut } = subject;
  const [first = '', ...others] = askingRows(subject);
  if (first.startsWith('$ ') && showsText([first.slice(1), ...others], command)) return true;
  const rows = commandRows(below) ?? commandRows(above);
  if (rows) {
    // A heading may stand below the command, after a blank row.
    const alternatives = [rows, rows.slice(0, Math.max(0, rows.lastIndexOf('')))];
    return alternatives.some((each) => {
      const rest = afterText(each, command);
      return rest !== undefined ? isFolder(rest, folder) : isShortened(each, command);
    });
  }
  return firstRowsShow(fromFirst(below), command) || (cut && isTailOf(above, command)) || showsParts(below, command);
}

/**
 * What stands between the question and the choices, where its last row ends with a question mark and was taken for the
 * question. Empty when the question is not right above it: then it is a question, and stands below what it is about.
 */
function askingRows({ question, above, below }: Subject): string[] {
  if (question === '' || below.some((row) => row !== '')) return [];
  const start = above.findLastIndex((row) => row === '' || row.endsWith('?'));
  const isBelow = above[start]?.endsWith('?') ?? above[0]?.startsWith('$ ');
  return isBelow === true ? [...above.slice(start + 1), question] : [];
}

/** From the row that begins with `$`, without it; up to why the prompt is shown. */
function commandRows(rows: readonly string[]): string[] | undefined {
  const start = rows.findIndex((row) => /^\$\s/.test(row));
  if (start === -1) return undefined;
  const found = [(rows[start] ?? '').slice(1), ...rows.slice(start + 1)];
  const reason = found.findIndex((row) => row.startsWith('Not in allowlist: '));
  return reason === -1 ? found : found.slice(0, reason);
}

/** The folder after a command: `in .`, `in current dir`, `in ~/site`. */
function isFolder(rest: string, folder: string | undefined): boolean {
  if (rest === '') return true;
  const shown = /^in (.+)$/.exec(rest)?.[1];
  if (shown === undefined) return false;
  return !shown.includes(' ') || shown === 'current dir' || /^[~./\\]|^[A-Za-z]:\\/.test(shown) || shown === folder;
}

/** An ellipsis at the end stands for the rest of the command. */
function isShortened(rows: readonly string[], command: string): boolean {
  const shown = /^(.{20,}?)\s*(?:…|\.\.\.)$/u.exec(fold(rows.join(' ')))?.[1];
  return shown !== undefined && withoutSpace(command).startsWith(withoutSpace(shown));
}

/** The rows above the question are the end of a command that began above the screen. */
function isTailOf(rows: readonly string[], command: string): boolean {
  const shown = withoutSpace(fold(rows.join(' ')).replace(/ in \S+$/, ''));
  return shown.length >= minTail && withoutSpace(command).endsWith(shown);
}

/** `Not in allowlist: cd /srv, npm test`: every part is a whole part of the command. */
function showsParts(below: readonly string[], command: string): boolean {
  const start = below.findIndex((row) => row.startsWith('Not in allowlist: '));
  if (start === -1) return false;
  const parts = below.slice(start).join(' ').replace(blocked, '').split(', ').map(fold);
  const known = new Set([...command.split(separators), command].map(fold));
  return parts.every((part) => part !== '' && known.has(part));
}

function showsTool({ above, below, cut }: Subject, server: string, tool: string, args: unknown): boolean {
  const rows = toolName.test(fromFirst(below)[0] ?? '') ? fromFirst(below) : cut ? [] : [...fromFirst(above), ...below];
  const name = `${server}: ${tool}`;
  if (!firstRowsShow(rows, name)) return false;
  const shown = parseJson(afterText(rows, name) ?? '');
  return shown === undefined || args === undefined || comparable(shown) === comparable(args);
}

function showsMode({ question }: Subject, { args }: PromptedCall): boolean {
  const fields = new Map(Object.entries(typeof args === 'object' && args !== null ? args : {}));
  const modes = argumentNames.mode.map((name): unknown => fields.get(name)).filter((mode) => typeof mode === 'string');
  const asked = /^switch to (.+) mode\?$/i.exec(question)?.[1]?.toLowerCase();
  return asked === undefined || modes.length === 0 || modes.some((mode) => mode.toLowerCase() === asked);
}

/** Whether the first rows, and nothing behind it in the last of them, show the text. */
function firstRowsShow(rows: readonly string[], text: string): boolean {
  for (let count = 1; count <= rows.length; count += 1) {
    const shown = rows.slice(0, count);
    if (showsText(shown, text)) return true;
    if (shown.join('').length > text.length + count) return false;
  }
  return false;
}

function unlabelled([first = '', ...rest]: readonly string[]): string[] {
  return [first.replace(label, ''), ...rest];
}

function relative([first = '', ...rest]: readonly string[]): string[] {
  return [first.replaceAll('\\', '/').replace(/^(?:\.|~|…)\//, ''), ...rest];
}

/** The rows from the first that is not blank. */
function fromFirst(rows: readonly string[]): string[] {
  return rows.slice(rows.findIndex((row) => row !== ''));
}

function withoutSpace(text: string): string {
  return text.split(/\s+/).join('');
}

/** The same for the same values, however their keys are ordered and their texts wrapped. */
function comparable(value: unknown): string {
  const sorted = (_: string, each: unknown): unknown =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [two]) => (one < two ? -1 : 1)))
      : each;
  return JSON.stringify(value, sorted).replaceAll(/(?:\\[nrt]|\s)+/g, '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
