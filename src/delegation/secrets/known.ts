import type { Span } from './span.ts';

const kind = 'known secret';
/** Shorter values turn up by chance. */
const minLength = 8;
const base64Run = /[A-Za-z0-9+/_-]/;

/** Variables whose value is a secret, by name. */
const secretName =
  /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|AUTH|COOKIE)(?:_\d+)?$|API_?KEY|ACCESS_KEY/i;

/** Values that were given to workers and must not come back, prepared for looking up. Empty when there are none. */
export interface KnownSecrets {
  /** As written and URL-encoded, with either case of hex digits. */
  literal: readonly string[];
  /** The part of the value's base64 form that is the same whatever stands before and after it. */
  base64: readonly string[];
}

/** Values of variables that are secret by name, at least 8 characters long and not a file's name or a plain word. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined &&
    secretName.test(name) &&
    value.length >= minLength &&
    !/^(?:[/~.]|[A-Za-z]+$|\d+$)/.test(value)
      ? [value]
      : [],
  );
}

/** Prepares values for `findKnown`. Values shorter than 8 characters are left out. */
export function prepareKnown(values: readonly string[]): KnownSecrets {
  const usable = [...new Set(values.map((value) => value.trim()))].filter((value) => value.length >= minLength);
  const literal = new Set<string>();
  const base64 = new Set<string>();
  for (const value of usable) {
    const encoded = encodeURIComponent(value.toWellFormed());
    for (const form of [value, encoded, encoded.replace(/%../g, (code) => code.toLowerCase())]) literal.add(form);
    for (const shift of [0, 1, 2]) {
      const core = base64Core(value, shift);
      base64.add(core).add(core.replaceAll('+', '-').replaceAll('/', '_'));
    }
  }
  return { literal: [...literal], base64: [...base64] };
}

/** Base64 of `value` after `shift` unknown bytes, without the characters that its unknown neighbours decide. */
function base64Core(value: string, shift: number): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value, 'utf8')]);
  const whole = Math.floor((bytes.length * 8) / 6);
  return bytes.toString('base64').slice(shift === 0 ? 0 : shift + 1, whole);
}

/** Finds known values in a text. With `whole`, a base64 form is taken with the run of base64 that it is part of. */
export function findKnown(text: string, known: KnownSecrets, whole: boolean): Span[] {
  const spans: Span[] = [];
  for (const needle of known.literal) {
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
      spans.push({ start: at, end: at + needle.length, kind });
    }
  }
  for (const needle of known.base64) {
    for (let at = text.indexOf(needle); at !== -1;) {
      let start = at;
      let end = at + needle.length;
      if (whole) {
        while (base64Run.test(text[start - 1] ?? '')) start--;
        while (base64Run.test(text[end] ?? '')) end++;
        while (text[end] === '=') end++;
      }
      spans.push({ start, end, kind });
      at = text.indexOf(needle, end);
    }
  }
  return spans;
}
