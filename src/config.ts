import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { tierSchema, type EngineId, type Tier } from './protocol/model.ts';

/** Everything a person can set, read once and frozen. Names follow the settings (`sallyport.<name>`). */
export interface Config {
  /** The delegation ladder: level n is at index n - 1. */
  readonly tiers: readonly Tier[];
  /** The ladder for small mechanical work. */
  readonly fastTiers: readonly Tier[];
  /** Who reads: for `explore`, `read_slice` and `web_lookup`. */
  readonly exploreModel: Tier;
  readonly cursor: {
    readonly allowFallback: boolean;
    /** How long a call is pending before it may count as waiting where its terminal cannot be read. */
    readonly settleMs: number;
    /** Whether a request that waits out of sight is told by a notification. */
    readonly notify: boolean;
  };
  readonly followUp: { readonly allowWiden: boolean };
  /** Every worker is told to be terse. */
  readonly terseWorkers: boolean;
  /** Absolute paths of folders with personas, looked in before the usual ones. */
  readonly personas: { readonly folders: readonly string[] };
  readonly maxRunMinutes: number;
  readonly noEventMinutes: number;
  readonly maxParallelRuns: number;
  readonly result: { readonly maxChars: number };
  readonly mcp: { readonly maxWaitSeconds: number };
  /** Absolute paths of CLIs the person named; the others are looked for. */
  readonly binaries: Readonly<Partial<Record<EngineId, string>>>;
  /** Variables a worker gets beyond the allow-listed ones. */
  readonly environment: Readonly<Record<string, string>>;
  readonly sandbox: {
    /** `off`: workers run without a sandbox, with all that asks of the person. */
    readonly mode: 'auto' | 'off';
    /** Further paths a worker sees: absolute, or below `~`. */
    readonly extraPaths: Readonly<Record<string, 'readOnly' | 'readWrite'>>;
    /** Workers may change git's configuration and hooks. */
    readonly allowGitConfig: boolean;
  };
  /** Standalone only: the person agreed that workers may write without a sandbox. */
  readonly allowUnsandboxed: boolean;
  /** Replaces the platform's folder for Sallyport's own state. */
  readonly stateDir?: string;
}

/** A value that was not used. `message` names the setting, what is wrong with it, and what is used instead. */
export interface ConfigProblem {
  setting: string;
  message: string;
}

interface Setting<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly fallback: T;
}

const setting = <T>(name: string, schema: z.ZodType<T>, fallback: T): Setting<T> => ({ name, schema, fallback });

const tier = tierSchema.strict();
/** Words for a value of the wrong type alone: what is wrong inside of it has its own. */
const byKind = (words: string) => ({
  error: ({ code }: { code: string }) => (code === 'invalid_type' ? words : undefined),
});

const truth = z.boolean('must be true or false');
const range = (least: number, most: number) => `must be a number from ${least} to ${most}`;
const minutes = z
  .number('must be a number of minutes, more than 0 and at most 1440')
  .positive('must be more than 0 (minutes)')
  .max(1440, 'must be at most 1440 (minutes: a day)');
const wholeNumber = (least: number, most: number) => {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z.number(rule).int(rule).min(least, rule).max(most, rule);
};
const binaryPath = z
  .string('must be text: an absolute path, or empty')
  .refine((path) => path === '' || isAbsolute(path), 'must be an absolute path (or empty, to have it looked for)');
const folders = z.array(
  z.string('must be text').refine(isAbsolute, 'must be an absolute path'),
  'must be a list of absolute paths',
);
const variables = z.record(
  z.string().regex(/^(?!SALLYPORT_)[A-Za-z_][A-Za-z0-9_]*$/, 'must be a variable name, and not one of Sallyport’s own'),
  z.string('must be text'),
  byKind('must be an object of variables by name, like {"HTTPS_PROXY":"http://localhost:3128"}'),
);

const extraPaths = z.record(
  z.string().regex(/^(?:\/|~(?:\/|$))/, 'must be an absolute path, or one that begins with ~/'),
  z.enum(['readOnly', 'readWrite'], 'must be "readOnly" or "readWrite"'),
  byKind('must be an object of paths, like {"~/.m2":"readWrite"}'),
);

/** The ladders by setting: one object of rungs by level each. */
const defaultLadders = {
  tiers: [
    { engine: 'codex', model: 'gpt-5.6-luna', effort: 'max' },
    { engine: 'grok', model: 'grok-4.5', effort: 'high' },
    { engine: 'codex', model: 'gpt-5.6-sol', effort: 'xhigh' },
    { engine: 'grok', model: 'grok-4.6', effort: 'high' },
    { engine: 'claude', model: 'opus', effort: 'max' },
  ],
  fastTiers: [
    { engine: 'codex', model: 'gpt-5.6-luna', effort: 'low' },
    { engine: 'grok', model: 'grok-4.5', effort: 'low' },
    { engine: 'claude', model: 'sonnet', effort: 'low' },
  ],
} as const satisfies Record<string, readonly Tier[]>;
type LadderName = keyof typeof defaultLadders;

const rungsOf = (name: LadderName): Setting<Tier>[] =>
  defaultLadders[name].map((rung, index) => setting(`${name}.${index + 1}`, tier, rung));
const rungs: Readonly<Record<LadderName, readonly Setting<Tier>[]>> = {
  tiers: rungsOf('tiers'),
  fastTiers: rungsOf('fastTiers'),
};

/** Every setting with its rule and its default, the ladders' rungs aside: the one place that has them. */
const settings = {
  exploreModel: setting('exploreModel', tier, { engine: 'codex', model: 'gpt-5.6-luna', effort: 'low' }),
  allowFallback: setting('cursor.allowFallback', truth, false),
  settleMs: setting('cursor.settleMs', wholeNumber(0, 10_000), 500),
  notify: setting('cursor.notify', truth, true),
  allowWiden: setting('followUp.allowWiden', truth, false),
  terseWorkers: setting('terseWorkers', truth, true),
  personaFolders: setting('personas.folders', folders, []),
  maxRunMinutes: setting('maxRunMinutes', minutes, 30),
  noEventMinutes: setting('noEventMinutes', minutes, 5),
  maxParallelRuns: setting('maxParallelRuns', wholeNumber(1, 64), 4),
  maxChars: setting('result.maxChars', wholeNumber(2_000, 80_000), 20_000),
  maxWaitSeconds: setting(
    'mcp.maxWaitSeconds',
    z.number(range(1, 3600)).min(1, range(1, 3600)).max(3600, range(1, 3600)),
    50,
  ),
  codexPath: setting('codex.path', binaryPath, ''),
  grokPath: setting('grok.path', binaryPath, ''),
  claudePath: setting('claude.path', binaryPath, ''),
  cursorPath: setting('cursor.path', binaryPath, ''),
  environment: setting('environment', variables, {}),
  sandboxMode: setting('sandbox.mode', z.enum(['auto', 'off'], 'must be "auto" or "off"'), 'auto'),
  extraPaths: setting('sandbox.extraPaths', extraPaths, {}),
  allowGitConfig: setting('sandbox.allowGitConfig', truth, false),
};

/** What a person writes under `sallyport.`. A ladder is one setting: an object of rungs by level. */
export const settingNames: readonly string[] = [
  ...Object.keys(defaultLadders),
  ...Object.values(settings).map(({ name }) => name),
];

const readableNames = new Set([
  ...settingNames,
  ...Object.values(rungs).flatMap((ladder) => ladder.map(({ name }) => name)),
]);

function isLadder(name: string): name is LadderName {
  return Object.hasOwn(defaultLadders, name);
}

/**
 * Reads settings given by their dotted name, with or without `sallyport.` in front (`{ 'cursor.allowFallback': true }`).
 * Undefined values count as not set. A value that breaks its rule, and a name that is no setting, become problems, and
 * the default stands. Never throws.
 */
export function parseConfig(raw: Readonly<Record<string, unknown>>): { config: Config; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const given = new Map<string, unknown>();
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) spread(name.replace(/^sallyport\./, ''), value, given, problems);
  }
  const read = <T>(wanted: Setting<T>): T => readSetting(wanted, given.get(wanted.name), problems);
  const config: Config = {
    tiers: rungs.tiers.map(read),
    fastTiers: rungs.fastTiers.map(read),
    exploreModel: read(settings.exploreModel),
    cursor: {
      allowFallback: read(settings.allowFallback),
      settleMs: read(settings.settleMs),
      notify: read(settings.notify),
    },
    followUp: { allowWiden: read(settings.allowWiden) },
    terseWorkers: read(settings.terseWorkers),
    personas: { folders: read(settings.personaFolders) },
    maxRunMinutes: read(settings.maxRunMinutes),
    noEventMinutes: read(settings.noEventMinutes),
    maxParallelRuns: read(settings.maxParallelRuns),
    result: { maxChars: read(settings.maxChars) },
    mcp: { maxWaitSeconds: read(settings.maxWaitSeconds) },
    binaries: withoutEmpty({
      codex: read(settings.codexPath),
      grok: read(settings.grokPath),
      claude: read(settings.claudePath),
      cursor: read(settings.cursorPath),
    }),
    environment: read(settings.environment),
    sandbox: {
      mode: read(settings.sandboxMode),
      extraPaths: read(settings.extraPaths),
      allowGitConfig: read(settings.allowGitConfig),
    },
    allowUnsandboxed: false,
  };
  return { config: deepFreeze(config), problems };
}

/** Puts one written setting under the names of the table: a ladder falls into its rungs. */
function spread(name: string, value: unknown, given: Map<string, unknown>, problems: ConfigProblem[]): void {
  if (isLadder(name)) {
    const ladder = z.record(z.string(), z.unknown()).safeParse(value);
    if (!ladder.success) {
      const example = JSON.stringify({ 1: defaultLadders[name][0] });
      problems.push(
        problem(name, `must be an object of rungs by level, like ${example}`, 'The default ladder is used.'),
      );
    } else {
      for (const [level, rung] of Object.entries(ladder.data)) spread(`${name}.${level}`, rung, given, problems);
    }
  } else if (readableNames.has(name)) {
    given.set(name, value);
  } else {
    problems.push(problem(name, 'is no setting', 'It is ignored.'));
  }
}

function readSetting<T>({ name, schema, fallback }: Setting<T>, value: unknown, problems: ConfigProblem[]): T {
  if (value === undefined) return fallback;
  const parsed = schema.safeParse(value, { error: inWords });
  if (parsed.success) return parsed.data;
  const why = parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
  const instead = fallback === '' ? 'The program is looked for.' : `The default is used: ${JSON.stringify(fallback)}.`;
  problems.push(problem(name, why, instead));
  return fallback;
}

/** What breaks a rule that has no words of its own. */
function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => message).join(', ');
  if (issue.code === 'unrecognized_keys') return `has nothing named ${quoted(issue.keys)}`;
  if (issue.code === 'invalid_value') return `must be one of ${quoted(issue.values)}`;
  if (issue.code !== 'invalid_type') return undefined;
  return issue.expected === 'object' ? 'must be an object, like the default' : `must be a ${issue.expected}`;
}

const quoted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ');

function problem(name: string, why: string, instead: string): ConfigProblem {
  const setting = `sallyport.${name}`;
  return { setting, message: `${setting}: ${why}. ${instead}` };
}

function withoutEmpty(paths: Record<EngineId, string>): Config['binaries'] {
  return Object.fromEntries(Object.entries(paths).filter(([, path]) => path !== ''));
}

/**
 * Reads the settings of a server that runs outside an editor: `SALLYPORT_<NAME>` variables (`SALLYPORT_MAX_RUN_MINUTES`,
 * `SALLYPORT_CODEX_PATH`; anything but text is JSON) over the JSON object in `file`, the text of the file that
 * `SALLYPORT_CONFIG` names. Variables that are no setting are none of our business and pass in silence.
 */
export function parseStandaloneConfig(
  environment: Readonly<Record<string, string | undefined>>,
  file?: string,
): { config: Config; problems: ConfigProblem[] } {
  const fromFile = file === undefined ? {} : readJsonObject(file);
  const raw: Record<string, unknown> = { ...fromFile };
  for (const name of settingNames) {
    const text = environment[variableName(name)];
    if (text === undefined || text === '') continue;
    for (const written of [name, `sallyport.${name}`]) Reflect.deleteProperty(raw, written);
    raw[name] = name.endsWith('.path') ? text : readJson(text);
  }
  const { config, problems } = parseConfig(raw);
  if (!fromFile)
    problems.unshift(problem('*', 'the file named by SALLYPORT_CONFIG holds no JSON object', 'It is ignored.'));
  const stateDir = readStateDir(environment.SALLYPORT_STATE_DIR, problems);
  const standalone = {
    ...config,
    allowUnsandboxed: environment.SALLYPORT_ALLOW_UNSANDBOXED === '1',
    ...(stateDir && { stateDir }),
  };
  return { config: Object.freeze(standalone), problems };
}

function readStateDir(path: string | undefined, problems: ConfigProblem[]): string | undefined {
  if (!path) return undefined;
  if (isAbsolute(path)) return path;
  problems.push({
    setting: 'SALLYPORT_STATE_DIR',
    message: 'SALLYPORT_STATE_DIR: must be an absolute path. The default folder is used.',
  });
  return undefined;
}

/** `cursor.allowFallback` is `SALLYPORT_CURSOR_ALLOW_FALLBACK`. */
function variableName(setting: string): string {
  return `SALLYPORT_${setting
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase()}`;
}

/** Text that is not JSON stays text, for the setting's own rule to refuse. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readJsonObject(text: string): Record<string, unknown> | undefined {
  return z.record(z.string(), z.unknown()).safeParse(readJson(text)).data;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
}
