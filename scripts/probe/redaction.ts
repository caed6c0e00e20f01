import { createRedactor } from '../../src/delegation/redact.ts';
import { secretsOf } from '../../src/delegation/secrets/known.ts';

/** Who and where the person is: none of it may be recorded. */
export interface Private {
  env: NodeJS.ProcessEnv;
  home: string;
  user: string;
  host: string;
}

/** Shorter ones are parts of words. */
const minLength = 3;
/** What a frame and its padding put between the parts of a text that is wrapped. */
const between = /[\s│┃║|]/;

/** Takes secrets, the home folder, and the names of user and machine out of what is recorded. */
export interface Redaction {
  /** Of the same size: what is taken out is shown as `x`, also where it is wrapped to the next row. */
  rows(rows: readonly string[]): string[];
  /** A text of JSON with everything taken out. Rejects when it could not be looked at: then it must not be written. */
  json(value: unknown): Promise<string>;
  dispose(): void;
}

/** `workerFile`: see `RedactorOptions`. */
export function createRedaction({ env, home, user, host }: Private, workerFile: string): Redaction {
  const values = [home, user, host, host.split('.')[0] ?? ''].filter(({ length }) => length >= minLength);
  const known = secretsOf(env);
  const redactor = createRedactor({ workerFile, known: () => known });
  const mask = (text: string): string => maskValues(text, [...values, ...known]);
  return {
    rows: (rows) => mask(rows.join('\n')).split('\n'),
    async json(value) {
      const masked = JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? mask(each) : each), 2);
      return (await redactor.redact(masked)).text;
    },
    dispose: () => redactor.dispose(),
  };
}

/** Puts an `x` for every character of every value, however its case and wherever it is wrapped. */
function maskValues(text: string, values: readonly string[]): string {
  const characters = text.split('');
  const solid = characters.flatMap((character, index) => (between.test(character) ? [] : [index]));
  const bare = solid.map((index) => lower(characters[index] ?? '')).join('');
  for (const value of values) {
    const wanted = value
      .split('')
      .filter((each) => !between.test(each))
      .map(lower)
      .join('');
    if (wanted === '') continue;
    for (let at = bare.indexOf(wanted); at !== -1; at = bare.indexOf(wanted, at + wanted.length)) {
      for (const index of solid.slice(at, at + wanted.length)) characters[index] = 'x';
    }
  }
  return characters.join('');
}

/** One character for one. */
function lower(character: string): string {
  const small = character.toLowerCase();
  return small.length === 1 ? small : character;
}
