import type { Step } from '../test/support/modelServer/scenario.ts';
import type { Corpus } from './corpus/corpus.ts';

/** One call of a tool, and how the scripted model goes about it. */
export interface ContextCase {
  readonly tool: string;
  /** What it works on, for people. */
  readonly on: string;
  /** The part of the corpus that is its folder. */
  readonly part: keyof Corpus;
  readonly input: Readonly<Record<string, unknown>>;
  /** Which argument the model's script is named in. */
  readonly asks: 'question' | 'want' | 'query' | 'task';
  readonly steps: readonly [Step, ...Step[]];
  /** The file of the corpus that its command prints, which the worker reads under another name. */
  readonly prints?: string;
  /** Stands in what the steps must have brought the worker: without it nothing was read, and nothing is counted. */
  readonly proof?: string;
}

/**
 * A frugal worker: it searches first, then reads only the lines around what it found. Line numbers are looked up in the
 * corpus, so that its answers are true.
 */
export function contextCases(corpus: Corpus): readonly ContextCase[] {
  return [explores(corpus), slicesFile(corpus), slicesLog(corpus), filtersLog(corpus), looksUp, plans(corpus)];
}

const count = (value: number) => value.toLocaleString('en-US');

function explores({ repository }: Corpus): ContextCase {
  const schemas = 'src/v4/core/schemas.ts';
  const tests = 'src/v4/classic/tests/discriminated-unions.test.ts';
  const at = (path: string, text: string) => lineOf(repository[path], text);
  const map = at(schemas, 'function discriminatorMap(');
  const init = at(schemas, 'export const $ZodDiscriminatedUnion:');
  const answer = [
    'An object is routed by a map from each value of the discriminator to its option. `discriminatorMap` builds it; it is',
    'made once, with the first object parsed, and kept. Two options with the same value throw while the map is built,',
    'unless the value is undefined: that entry is marked null and nothing is routed by it. No matching option is an issue',
    '`invalid_union` with the note "No matching discriminator", except with `unionFallback` and when encoding: then all',
    'options are tried as in a plain union.',
    '',
    `- \`${schemas}:${map}\`: discriminatorMap, from option._zod.propValues`,
    `- \`${schemas}:${at(schemas, 'throw new Error(`Duplicate discriminator value')}\`: two options claim one value`,
    `- \`${schemas}:${at(schemas, 'const disc = util.cached(() => discriminatorMap(def))')}\`: built once, when first needed`,
    `- \`${schemas}:${at(schemas, 'if (def.unionFallback || ctx.direction === "backward") {')}\`: the way back to a plain union`,
    `- \`${schemas}:${at(schemas, 'note: "No matching discriminator",')}\`: the issue`,
    `- \`${tests}:${at(tests, 'toThrow(/Duplicate discriminator value/)')}\`: a test of duplicate values`,
  ].join('\n');
  return {
    tool: 'explore',
    on: `a repository of ${count(Object.keys(repository).length)} files`,
    part: 'repository',
    input: { question: 'How does a discriminated union find its option, and what happens when none or two match?' },
    asks: 'question',
    steps: [
      { call: { kind: 'search', pattern: 'discriminator', path: 'src/v4/core' } },
      { call: { kind: 'read', path: schemas, lines: [map - 50, map + 20] } },
      { call: { kind: 'read', path: schemas, lines: [init, init + 90] } },
      { call: { kind: 'search', pattern: 'Duplicate discriminator|No matching discriminator', path: 'src/v4' } },
      { call: { kind: 'read', path: tests, lines: [1, 120] } },
      { say: answer },
    ],
    proof: 'keep the collision marked so a later member cannot reclaim it',
  };
}

function slicesFile({ file }: Corpus): ContextCase {
  const path = 'dist/acorn.js';
  const lines = linesOf(file[path]);
  const start = lineOf(file[path], 'pp$5.parseExprOp = function');
  const end = lineOf(file[path], 'pp$5.buildBinary = function') - 2;
  const callers = lines.flatMap((line, index) => (line.includes('this.parseExprOp(') ? [index + 1] : []));
  const wanted = [...new Set([...range(start, end), ...callers])];
  return {
    tool: 'read_slice',
    on: `a file of ${count(lines.length)} lines`,
    part: 'file',
    input: { files: [path], want: 'the method parseExprOp, whole, and every line that calls it' },
    asks: 'want',
    steps: [
      { call: { kind: 'search', pattern: 'parseExprOp\\b', path } },
      { call: { kind: 'read', path, lines: [start - 20, end + 20] } },
      { say: quoted(path, lines, wanted) },
    ],
    proof: 'Logical expressions and coalesce expressions cannot be mixed',
  };
}

function slicesLog({ log }: Corpus): ContextCase {
  const path = 'test.log';
  const lines = linesOf(log[path]);
  const rounds = failedRounds(lines);
  const telling = /^ +\d+ failing|^ {2}\d+\) |^ {7}\S.*:$|Timeout \d+ms exceeded|AssertionError|^ +at .*\.test\.ts:/;
  const wanted = rounds.flatMap(([first, last]) =>
    range(first, last).filter((number) => telling.test(lines[number - 1] ?? '')),
  );
  return {
    tool: 'read_slice',
    on: `a test log of ${count(lines.length)} lines`,
    part: 'log',
    input: { files: [path], want: 'which tests failed in each round, with the error and its place' },
    asks: 'want',
    steps: [
      { call: { kind: 'search', pattern: '^ +[0-9]+ (passing|failing)|^=== round', path } },
      ...rounds.map((found): Step => ({ call: { kind: 'read', path, lines: found } })),
      { say: quoted(path, lines, wanted) },
    ],
    proof: 'Expected values to be strictly deep-equal',
  };
}

function filtersLog({ log }: Corpus): ContextCase {
  const file = 'test.log';
  const path = 'output.log';
  const lines = linesOf(log[file]);
  const rounds = failedRounds(lines);
  const telling = /^ +\d+ failing|^ {2}\d+\) |^ {7}\S.*:$|Timeout \d+ms exceeded|AssertionError/;
  const wanted = rounds.flatMap(([first, last]) =>
    range(first, last).filter((number) => telling.test(lines[number - 1] ?? '')),
  );
  return {
    tool: 'run_filtered',
    on: `the command printing a test log of ${count(lines.length)} lines`,
    part: 'log',
    prints: file,
    input: { command: `cat ${file}; exit 1`, want: 'which tests failed in each round, with the error' },
    asks: 'want',
    steps: [
      { call: { kind: 'search', pattern: '^ +[0-9]+ (passing|failing)|^=== round', path } },
      ...rounds.map((found): Step => ({ call: { kind: 'read', path, lines: found } })),
      { say: wanted.map((number) => `${number}: ${lines[number - 1] ?? ''}`).join('\n') },
    ],
    proof: 'Expected values to be strictly deep-equal',
  };
}

/** From "N failing" to the end of the round. */
function failedRounds(lines: readonly string[]): [first: number, last: number][] {
  const ends = matches(lines, /^=== round \d+ ended/);
  return matches(lines, /^ +\d+ failing/).map((first) => [first, ends.find((end) => end > first) ?? first]);
}

/** The pages are read at the model's service: no request of the CLI holds them, so they cannot be counted here. */
const looksUp: ContextCase = {
  tool: 'web_lookup',
  on: 'a question; what the pages hold is in no request',
  part: 'repository',
  input: { query: 'Since which version does Node.js strip types without a flag, and what syntax does it refuse?' },
  asks: 'query',
  steps: [
    {
      say: [
        'Since v23.6.0 and v22.18.0 Node.js strips types without a flag. It refuses what would need code to be made: enums,',
        'namespaces with code in them, parameter properties and import aliases (`ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX`).',
        '',
        '- https://nodejs.org/api/typescript.html: the history of the feature, and the list of unsupported syntax',
        '- https://nodejs.org/en/blog/release/v23.6.0: the release that switched it on',
      ].join('\n'),
    },
  ],
};

function plans({ repository }: Corpus): ContextCase {
  const core = 'src/v4/core';
  const classic = 'src/v4/classic';
  const at = (path: string, text: string) => lineOf(repository[path], text);
  const places = {
    regexes: at(`${core}/regexes.ts`, 'export const ksuid'),
    schemas: at(`${core}/schemas.ts`, 'export interface $ZodKSUIDDef'),
    union: at(`${core}/schemas.ts`, '| $ZodKSUID'),
    api: at(`${core}/api.ts`, '// KSUID'),
    checks: at(`${core}/checks.ts`, '| "ksuid"'),
    classic: at(`${classic}/schemas.ts`, '// ZodKSUID'),
    method: at(`${classic}/schemas.ts`, 'ksuid(params) {'),
    mini: at('src/v4/mini/schemas.ts', '// ZodMiniKSUID'),
    locale: at('src/v4/locales/en.ts', 'ksuid: "KSUID"'),
    tests: at(`${classic}/tests/string.test.ts`, 'test("ksuid"'),
  };
  const around = (path: string, line: number, size: number): Step => ({
    call: { kind: 'read', path, lines: [Math.max(1, line - 10), line + size] },
  });
  const answer = [
    'Goal: `z.semver()` as a string format beside `z.ksuid()`, which shows every place a format has.',
    '',
    `1. \`${core}/regexes.ts:${places.regexes}\`: export \`semver\`, the pattern semver.org recommends. Check: a string "1.0.0-rc.1+5" matches, "1.0" does not.`,
    `2. \`${core}/checks.ts:${places.checks}\`: add "semver" to the names of formats.`,
    `3. \`${core}/schemas.ts:${places.schemas}\`: \`$ZodSemverDef\`, \`$ZodSemverInternals\`, \`$ZodSemver\`, after the model of \`$ZodKSUID\`; add it to the union at line ${places.union}.`,
    `4. \`${core}/api.ts:${places.api}\`: the types of its parameters and \`_semver\`.`,
    `5. \`${classic}/schemas.ts:${places.classic}\`: \`ZodSemver\` and \`semver()\`; no deprecated method as at line ${places.method}: new formats get none.`,
    `6. \`src/v4/mini/schemas.ts:${places.mini}\`: the same for zod/mini.`,
    `7. \`src/v4/locales/en.ts:${places.locale}\`: its name, "semantic version". The other locales fall back to the key.`,
    `8. \`${classic}/tests/string.test.ts:${places.tests}\`: a test beside that of ksuid: valid, invalid, the issue's format.`,
    '',
    'Risk: `src/v4/core/compile.ts` and `src/v4/classic/from-json-schema.ts` name formats too; look whether semver belongs there.',
    'Check at the end: the tests of `src/v4/classic/tests/string.test.ts`, and types.',
  ].join('\n');
  return {
    tool: 'plan',
    on: `a repository of ${count(Object.keys(repository).length)} files`,
    part: 'repository',
    input: { task: 'Add a string format semver, as z.semver(), in classic and mini.' },
    asks: 'task',
    steps: [
      { call: { kind: 'search', pattern: '[kK][sS][uU][iI][dD]', path: core } },
      { call: { kind: 'search', pattern: '[kK][sS][uU][iI][dD]', path: classic } },
      around(`${core}/regexes.ts`, places.regexes, 20),
      around(`${core}/schemas.ts`, places.schemas, 30),
      around(`${core}/api.ts`, places.api, 30),
      around(`${classic}/schemas.ts`, places.classic, 30),
      around('src/v4/mini/schemas.ts', places.mini, 30),
      around('src/v4/locales/en.ts', places.locale, 20),
      around(`${classic}/tests/string.test.ts`, places.tests, 30),
      { say: answer },
    ],
    proof: 'KSUID',
  };
}

const linesOf = (text: string | undefined): string[] => (text ?? '').replace(/\n$/, '').split('\n');

/** The number of the first line that holds `wanted`. Throws when there is none: an answer would be made up. */
function lineOf(text: string | undefined, wanted: string): number {
  const index = linesOf(text).findIndex((line) => line.includes(wanted));
  if (index < 0) throw new Error(`the corpus has no ${JSON.stringify(wanted)}`);
  return index + 1;
}

const matches = (lines: readonly string[], pattern: RegExp): number[] =>
  lines.flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const quoted = (path: string, lines: readonly string[], numbers: readonly number[]): string =>
  numbers.map((number) => `${path}:${number}: ${lines[number - 1] ?? ''}`).join('\n');
