import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runCommand } from './command.ts';
import { ensureTool } from './setup.ts';
import type { ToolName } from './setup.ts';
import { runSuiteProcess } from './suiteProcess.ts';
import { mergeResults } from './suiteResult.ts';
import type { SuiteResult } from './suiteResult.ts';

const root = resolve(import.meta.dirname, '..');
const modules = join(root, 'node_modules');

export interface SuiteContext {
  readonly signal: AbortSignal;
  /** Builds the bundles once per run, and waits for it. */
  readonly build: () => Promise<void>;
  /** Packages the extension for this machine once per run. Returns the path of the VSIX. */
  readonly vsix: () => Promise<string>;
  /** Packages it for every platform, and checks each. */
  readonly allVsix: () => Promise<void>;
}

export interface Suite {
  readonly name: string;
  readonly about: string;
  readonly needs: readonly ToolName[];
  readonly run: (context: SuiteContext) => Promise<SuiteResult>;
  /** It mostly waits, so it runs beside those that follow it. */
  readonly beside?: true;
}

const minute = 60_000;
const nothing: SuiteResult = { passed: 0, failures: [], skipped: [] };
const passed: SuiteResult = { ...nothing, passed: 1 };

interface MochaSuite extends Omit<Suite, 'run'> {
  /** Below test/. */
  readonly files: string;
  /** Milliseconds for the whole suite. */
  readonly timeout: number;
  /** What must be there before it starts; returns variables that tell the tests about it. */
  readonly prepare?: (context: SuiteContext) => Promise<NodeJS.ProcessEnv>;
  /** How many files run at the same time, for tests that mostly wait. One when left out. */
  readonly jobs?: number;
  /** Runs the files instead of mocha in Node. */
  readonly script?: string;
}

const builds = async ({ build }: SuiteContext): Promise<NodeJS.ProcessEnv> => {
  await build();
  return {};
};

/** What some tests of a suite want; without it those are skipped, or say so. */
const wants =
  (...tools: readonly ToolName[]) =>
  async (): Promise<NodeJS.ProcessEnv> => {
    for (const tool of tools) await ensureTool(tool).catch(() => undefined);
    return {};
  };

/** All suites in the order they run. A new one is one entry here. */
export const suites: readonly Suite[] = [
  {
    name: 'static',
    about: 'types, lint, format, import table, dead code, bundles, packages',
    needs: [],
    run: runStaticChecks,
  },
  mochaSuite({
    name: 'unit',
    about: 'every room by itself',
    needs: ['git'],
    files: 'unit/**/*.test.ts',
    timeout: 10 * minute,
    prepare: wants('tmux', 'bubblewrap'),
  }),
  mochaSuite({
    name: 'stores',
    about: 'thousands of chat stores as a real SQLite writes them',
    needs: [],
    files: 'stores/**/*.test.ts',
    timeout: 5 * minute,
  }),
  mochaSuite({
    name: 'mcp',
    about: 'the MCP server with a real client',
    needs: ['git'],
    files: 'mcp/**/*.test.ts',
    timeout: 5 * minute,
    prepare: builds,
  }),
  mochaSuite({
    name: 'approvals',
    about: "simulated Cursor sessions in a real tmux, from the chat's store to the keys",
    needs: ['tmux'],
    files: 'approvals/**/*.test.ts',
    timeout: 10 * minute,
    jobs: 2,
  }),
  mochaSuite({
    name: 'webview',
    about: "the Waiting view's page in a real browser",
    needs: ['chromium'],
    files: 'webview/**/*.test.ts',
    timeout: 5 * minute,
    prepare: builds,
  }),
  mochaSuite({
    name: 'agents',
    about: 'the real CLIs against a scripted model',
    needs: ['git', 'codex', 'claude', 'grok'],
    files: 'agents/**/*.test.ts',
    timeout: 10 * minute,
    jobs: 3,
    prepare: async (context) => ({ ...(await wants('bubblewrap')()), ...(await builds(context)) }),
  }),
  mochaSuite({
    name: 'window',
    about: 'inside a real extension host',
    needs: ['git', 'tmux', 'codex', 'code-server', 'chromium'],
    files: 'window/suite/**/*.test.ts',
    timeout: 10 * minute,
    prepare: builds,
    script: 'scripts/windowSuite.ts',
  }),
  mochaSuite({
    name: 'soak',
    about: 'five minutes of a session that asks every ten seconds: nothing grows, is lost or is left',
    needs: ['git', 'tmux', 'codex', 'code-server', 'chromium'],
    files: 'soak/**/*.test.ts',
    timeout: 20 * minute,
    prepare: async ({ vsix }) => ({ SALLYPORT_VSIX: await vsix() }),
    beside: true,
  }),
  mochaSuite({
    name: 'browser',
    about: 'the packaged extension in a real editor, by mouse and keyboard',
    needs: ['git', 'tmux', 'codex', 'claude', 'grok', 'code-server', 'chromium'],
    files: 'browser/**/*.test.ts',
    timeout: 26 * minute,
    prepare: async ({ vsix }) => ({ SALLYPORT_VSIX: await vsix() }),
  }),
];

function mochaSuite({ files, timeout, prepare, script, jobs, ...suite }: MochaSuite): Suite {
  const mocha = join(modules, 'mocha', 'bin', 'mocha.js');
  const parallel = jobs === undefined ? [] : ['--parallel', '--jobs', String(jobs)];
  const run = async (context: SuiteContext): Promise<SuiteResult> => {
    const found = globSync(files, { cwd: join(root, 'test') }).map((file) => join(root, 'test', file));
    if (found.length === 0) return nothing;
    const env = (await prepare?.(context)) ?? {};
    const args = (results: string): string[] =>
      script === undefined
        ? [mocha, ...parallel, '--reporter', 'json', '--reporter-option', `output=${results}`, ...found]
        : [join(root, script), results, ...found];
    return await runSuiteProcess(suite.name, { args, env, timeout, signal: context.signal });
  };
  return { ...suite, run };
}

interface StaticCheck {
  readonly title: string;
  /** A program of node_modules. */
  readonly program: string;
  readonly args: readonly string[];
}

/** Two lists that run at the same time: linting takes as long as the rest together. */
const staticChecks: readonly (readonly StaticCheck[])[] = [
  [{ title: 'lint (eslint)', program: 'eslint/bin/eslint.js', args: ['.'] }],
  [
    { title: 'types (tsc)', program: 'typescript/bin/tsc', args: ['--noEmit', '-p', '.'] },
    { title: 'types of the webview (tsc)', program: 'typescript/bin/tsc', args: ['--noEmit', '-p', 'webview-ui'] },
    { title: 'format (prettier)', program: 'prettier/bin/prettier.cjs', args: ['--check', '.'] },
    {
      title: 'import table (dependency-cruiser)',
      program: 'dependency-cruiser/bin/dependency-cruise.mjs',
      args: ['src', 'webview-ui', '--config', '.dependency-cruiser.cjs'],
    },
    { title: 'dead code (knip)', program: 'knip/bin/knip.js', args: [] },
  ],
];

async function runStaticChecks({ build, allVsix, signal }: SuiteContext): Promise<SuiteResult> {
  const lists = await Promise.all(staticChecks.map((list) => runChecks(list, signal)));
  const bundles = await outcomeOf('bundles (esbuild)', build);
  const packages = bundles === passed ? [await outcomeOf('packages (vsce)', allVsix)] : [];
  return mergeResults([...lists.flat(), bundles, ...packages]);
}

async function outcomeOf(title: string, step: () => Promise<void>): Promise<SuiteResult> {
  return await step().then(
    () => passed,
    (error: unknown) => failed(title, error instanceof Error ? error.message : String(error)),
  );
}

async function runChecks(checks: readonly StaticCheck[], signal: AbortSignal): Promise<SuiteResult[]> {
  const results: SuiteResult[] = [];
  for (const { title, program, args } of checks) {
    if (signal.aborted) break;
    const { code, output } = await runCommand(process.execPath, [join(modules, program), ...args], { cwd: root });
    results.push(code === 0 ? passed : failed(title, output));
  }
  return results;
}

function failed(title: string, output: string): SuiteResult {
  return { ...nothing, failures: [{ title, detail: output.trim().split('\n').slice(-60).join('\n') }] };
}

/** The tools of `suite` that this machine lacks and cannot get, each with the reason. Installs the others. */
export async function missingNeeds(suite: Suite): Promise<string[]> {
  const missing: string[] = [];
  for (const need of suite.needs) {
    await ensureTool(need).catch((error: unknown) => {
      missing.push(`needs ${need}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  return missing;
}
