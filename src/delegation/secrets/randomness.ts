/** A placeholder or a reference to a value kept elsewhere, rather than a value. */
const reference =
  /^(?:[$<{[(%*#]|@[{@]|\.{2,}|…|process\.env|os\.environ|env[.:(]|import\.meta|secrets?\.|vars?\.|(?:your|my|insert|enter|replace|some|example|dummy|fake|placeholder|changeme|redacted|hidden|masked)(?:$|[-_\s.])|x{4,}|•)|\$\{|\{\{|<[^>]*>/i;

/** `/etc/x/y`, `~/x`, `./x`: names of files rather than base64. */
const path = /^(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@ -]{1,40}[/\\])*[\w.@ -]{0,40}$/;

/** Digests, SRI hashes (W3C Subresource Integrity) and the session handles of Sallyport are names, not secrets. */
const publicName =
  /^(?:(?:sha1|sha224|sha256|sha384|sha512|md5|blake2b|blake3)[-:]|(?:codex|grok|claude|cursor):[\w-]+$)/i;

const identifier = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*$/;

/** True for what only says where a value comes from, or is public by nature: never a secret, whatever its label. */
export function isReference(value: string): boolean {
  return reference.test(value) || path.test(value) || publicName.test(value);
}

/** True for text that could be a name in a program: `config.apiKey`, `nextToken2`. */
export function isIdentifier(value: string): boolean {
  return identifier.test(value);
}

/** What a text is made of. A run is what reads as one word or number: `Token`, `URL`, `42`. */
export interface Makeup {
  letters: number;
  digits: number;
  runs: number;
}

/** Counts in one pass, for this is asked of every labelled value. ASCII letters and digits only. */
export function makeupOf(value: string): Makeup {
  const makeup = { letters: 0, digits: 0, runs: 0 };
  let previous: CharacterClass = 'other';
  for (let index = 0; index < value.length; index++) {
    const current = classOf(value.charCodeAt(index));
    if (current === 'digit') makeup.digits++;
    else if (current !== 'other') makeup.letters++;
    const continues = current === previous || (previous === 'upper' && current === 'lower');
    if (current !== 'other' && !continues) makeup.runs++;
    previous = current;
  }
  return makeup;
}

type CharacterClass = 'upper' | 'lower' | 'digit' | 'other';

function classOf(code: number): CharacterClass {
  if (code >= 97 && code <= 122) return 'lower';
  if (code >= 48 && code <= 57) return 'digit';
  return code >= 65 && code <= 90 ? 'upper' : 'other';
}

/**
 * True for text that nobody would write as a word or a name: letters and digits mixed, in runs too short for words.
 * `minLength` in characters. Only for text without white space.
 */
export function looksRandom(value: string, minLength: number, makeup = makeupOf(value)): boolean {
  if (value.length < minLength) return false;
  const { letters, digits, runs } = makeup;
  if (digits === value.length) return value.length >= 16;
  const averageRun = (letters + digits) / Math.max(runs, 1);
  if (digits === 0) return value.length >= 20 && averageRun < 3;
  return averageRun < 4.5 || (value.length >= 24 && digits >= 4);
}
