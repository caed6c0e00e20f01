// npm test [-- suite...]: runs the suites named, or all of them. The last line is `N passed, M failed[, K skipped]`.
import { buildBundles, packageOne, packageTargets } from './package.ts';
import { mergeResults } from './suiteResult.ts';
import type { SuiteResult } from './suiteResult.ts';
import { missingNeeds, suites } from './suites.ts';
import type { Suite, SuiteContext } from './suites.ts';
import { hostTarget, vsixTargets } from './vsixTarget.ts';

const isCi = process.env.CI === 'true';

function chosenSuites(names: readonly string[]): readonly Suite[] {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    const list = suites.map(({ name, about }) => `  ${name.padEnd(8)} ${about}`).join('\n');
    throw new Error(`There is no suite "${unknown.join('", "')}". The suites are:\n${list}`);
  }
  return names.length === 0 ? suites : suites.filter(({ name }) => names.includes(name));
}

function createContext(signal: AbortSignal): SuiteContext {
  let built: Promise<void> | undefined;
  let packaged: Promise<string> | undefined;
  const build = () => (built ??= buildBundles());
  return {
    signal,
    build,
    vsix: () => (packaged ??= build().then(() => packageOne(hostTarget()))),
    allVsix: async () => {
      await build();
      await packageTargets(vsixTargets);
    },
  };
}

/** A need that is missing skips the suite by name on a person's machine and fails it in CI. */
async function runSuite(suite: Suite, context: SuiteContext): Promise<SuiteResult> {
  const missing = await missingNeeds(suite);
  if (missing.length > 0) {
    return isCi
      ? { passed: 0, failures: missing.map((detail) => ({ title: `${suite.name} cannot run`, detail })), skipped: [] }
      : { passed: 0, failures: [], skipped: [`${suite.name} (${missing.join('; ')})`] };
  }
  return await suite.run(context).catch((error: unknown) => {
    const detail = error instanceof Error ? error.message : String(error);
    return { passed: 0, failures: [{ title: `${suite.name} could not start`, detail }], skipped: [] };
  });
}

function report(suite: Suite, { passed, failures, skipped }: SuiteResult, seconds: number): void {
  const total = passed + failures.length + skipped.length;
  const counts = total === 0 ? '0 tests' : counted({ passed, failures, skipped });
  console.log(`${suite.name}: ${counts} (${seconds.toFixed(1)} s)`);
  for (const name of skipped) console.log(`  skipped: ${name}`);
  for (const { title, detail } of failures) console.log(`  FAILED: ${title}\n${detail.replace(/^/gm, '      ')}`);
}

function counted({ passed, failures, skipped }: SuiteResult): string {
  const tail = skipped.length === 0 ? '' : `, ${skipped.length} skipped`;
  return `${passed} passed, ${failures.length} failed${tail}`;
}

async function main(names: readonly string[]): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  const context = createContext(stopping.signal);
  const results: SuiteResult[] = [];
  const carryOut = async (suite: Suite): Promise<void> => {
    const started = Date.now();
    const result = await runSuite(suite, context);
    report(suite, result, (Date.now() - started) / 1000);
    results.push(result);
  };
  const beside: Promise<void>[] = [];
  for (const suite of chosenSuites(names)) {
    if (stopping.signal.aborted) break;
    const run = carryOut(suite);
    if (suite.beside) beside.push(run);
    else await run;
  }
  await Promise.all(beside);
  const all = mergeResults(results);
  console.log(counted(all));
  process.exitCode = stopping.signal.aborted ? 130 : all.failures.length > 0 ? 1 : 0;
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
