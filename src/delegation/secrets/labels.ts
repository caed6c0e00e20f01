import { isIdentifier, isReference, looksRandom, type Makeup, makeupOf } from './randomness.ts';
import type { Span } from './span.ts';

/** Words that call a value secret, at the end of a name. `_PASS` counts in capitals only: "second pass: 3m2s" is no password. */
const labelWord =
  /passw(?:or)?d|passphrase|passcode|pwd|_PASS(?![A-Za-z])|secret|token|credential|(?:api|access|secret|private|auth|account|shared|encryption|signing|master|license)[ _-]?key|(?<=[_"'])auth(?=["'=])/gi;
const nameBefore = /[\w.$-]{0,64}$/;
/** What may stand between the word and its value; the groups say which kind of place it is. */
const separator =
  /(?:[_-]?(?:\d{1,2}|prod|production|dev|staging|live|test|value))?(?![\w])["'`*\]]{0,3}(?:(?<annotated>\??[ \t]{0,9}:[ \t]{0,9}(?:string|str|String)[ \t]{0,9}=[ \t]{0,9})|(?<assigned>[ \t]{0,40}(?:=>|:=|[!=]?={1,2})[ \t]{0,40})|(?<stated>[ \t]{0,9}:[ \t*]{0,40}|[ \t]{1,3}(?:is|was):?[ \t]{1,3})|(?<element>>)|(?<spaced>[ \t]{1,9}))/iy;
const quoted = { '"': /(?:[^"\\\n]|\\.)+/y, "'": /(?:[^'\\\n]|\\.)+/y, '`': /(?:[^`\\\n]|\\.)+/y } as const;
const bare = /(?:[^\s"'`,;&|<>(){}[\]\\]|\\(?![nrtu"'\\/]))+/y;
/** So many characters without a blank under a label are no name any more. Bounds what a value full of labels costs. */
const judged = 160;

const notSecrets =
  /^(?:true|false|null|none|nil|undefined|required|optional|string|number|boolean|password|secret|token)$/i;
const shoutedName = /^[A-Z_]*(?:KEY|TOKEN|SECRET|PASSWORD)$/;
/** Cursors through pages and handles for cancelling are called tokens but open nothing. */
const harmlessName = /(?:page|continuation|cancell?ation|cancel|abort|next|sync|start|end|eof)[_-]?token$/i;

interface Place {
  name: string;
  kind: 'password' | 'secret' | 'token' | 'API key';
  /** `NAME=value` without spaces, or a command line's `--name value`: a value for sure, not an expression. */
  tight: boolean;
  /** The name is in capitals, as environment variables are. */
  shouted: boolean;
  inQuotes: boolean;
  /** `name = value` with spaces, as programs write it. */
  assigned: boolean;
}

/** Finds values that something calls a password, secret, token or key: `password=…`, `"api_key": "…"`, `--token …`. */
export function findLabelled(text: string): Span[] {
  const spans: Span[] = [];
  labelWord.lastIndex = 0;
  for (let match = labelWord.exec(text); match; match = labelWord.exec(text)) {
    const span = valueAfter(text, match.index, match[0]);
    if (!span) continue;
    spans.push(span);
    labelWord.lastIndex = span.end;
  }
  return spans;
}

function valueAfter(text: string, at: number, word: string): Span | undefined {
  const before = text.slice(Math.max(0, at - 64), at);
  const prefix = nameBefore.exec(before)?.[0] ?? '';
  const name = prefix + word;
  separator.lastIndex = at + word.length;
  const between = separator.exec(text);
  if (!between || harmlessName.test(name)) return undefined;
  const { element, spaced, assigned } = between.groups ?? {};
  if (element !== undefined && before[before.length - prefix.length - 1] !== '<') return undefined;
  if (spaced !== undefined && !prefix.startsWith('--')) return undefined;

  const start = separator.lastIndex;
  const quote = text[start];
  const inQuotes = quote === '"' || quote === "'" || quote === '`';
  const valueStart = inQuotes ? start + 1 : start;
  const pattern = inQuotes ? quoted[quote] : bare;
  /** `${NAME:?message}` and `${NAME:+other}` of a shell name what is not the value. */
  const inExpansion = before.slice(0, before.length - prefix.length).endsWith('${');
  if (inExpansion && /[?+]/.test(text[valueStart] ?? '')) return undefined;
  const place: Place = {
    name,
    kind: kindOf(word),
    tight: assigned === '=' || spaced !== undefined || element !== undefined,
    shouted: /^[A-Z0-9_.$-]+$/.test(name) && /[A-Z]{3}/.test(name),
    inQuotes,
    assigned: assigned !== undefined,
  };
  return judge(text, valueStart, pattern, place);
}

function judge(text: string, start: number, pattern: RegExp, place: Place): Span | undefined {
  pattern.lastIndex = 0;
  const part = text.slice(start, start + judged);
  const value = pattern.exec(part)?.[0].replace(place.inQuotes ? /$/ : /[.*]+$/, '');
  if (!value || !isSecret(value, place)) return undefined;
  if (!place.inQuotes && /[([]/.test(text[start + value.length] ?? '')) return undefined;
  if (value.length < judged) return { start, end: start + value.length, kind: place.kind };
  pattern.lastIndex = start;
  return pattern.test(text) ? { start, end: pattern.lastIndex, kind: place.kind } : undefined;
}

function kindOf(word: string): Place['kind'] {
  const lower = word.toLowerCase();
  if (lower.includes('pass') || lower.includes('pwd')) return 'password';
  if (lower.includes('key')) return 'API key';
  return lower === 'token' ? 'token' : 'secret';
}

/** Decides by place and look. People choose passwords, so little is asked of those; keys and tokens are generated. */
function isSecret(value: string, place: Place): boolean {
  if (/\s/.test(value) || isReference(value) || notSecrets.test(value)) return false;
  if (value.length >= judged) return true;
  if (!place.inQuotes && !place.tight && isExpression(value, place)) return false;
  const makeup = makeupOf(value);
  const isNumber = makeup.digits === value.length;
  if (isNumber && value.length < (place.kind === 'password' ? 6 : 16)) return false;
  if (place.shouted && place.tight) return value.length >= 4 && !shoutedName.test(value);
  if (!place.inQuotes && !place.tight && isIdentifier(value)) return isUnlikeName(value, place, makeup);
  if (place.kind === 'password' || place.kind === 'secret') return looksChosen(value, makeup);
  return looksGenerated(value, makeup);
}

/** Outside quotes: the number of a constant, another constant's name, a negation. */
function isExpression(value: string, place: Place): boolean {
  return (
    (place.shouted && /^(?:0x[\da-f]+|\d+)$/i.test(value)) ||
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^!+[A-Za-z_$]/.test(value)
  );
}

/** Outside quotes a value that could be a variable's name has to look very much unlike one. */
function isUnlikeName(value: string, place: Place, makeup: Makeup): boolean {
  if (value.includes('.') && !looksRandom(value, 24, makeup)) return false;
  if (place.assigned) return makeup.digits >= 4 && looksRandom(value, 12, makeup);
  if (place.kind === 'password') return value.length >= 6 && makeup.digits > 0;
  return makeup.digits >= 3 && looksGenerated(value, makeup);
}

/** A password somebody thought of: a digit or a symbol that no name or label has, or a very long word. */
function looksChosen(value: string, makeup: Makeup): boolean {
  if (value.length < 4) return false;
  if (makeup.digits > 0 || /[@#$%^&+=~!?|\\](?=.)/.test(value)) return true;
  return /^(?:[a-z]{18,}|[A-Z]{18,})$/.test(value) || looksRandom(value, 20, makeup);
}

function looksGenerated(value: string, makeup: Makeup): boolean {
  if (looksRandom(value, 12, makeup)) return true;
  return makeup.digits >= 3 && makeup.letters > 0 && looksRandom(value, 8, makeup);
}
