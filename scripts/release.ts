// npm run release [-- --dry-run]: checks and packages, then publishes to the Marketplace and Open VSX. With --dry-run it
// prints what it would run instead.
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { mustRun } from './command.ts';
import { buildBundles, packageTargets } from './package.ts';
import { releaseProblems, tagOf } from './releaseChecks.ts';
import { describeStep, environmentOf, type ReleaseStep, releaseSteps, runSteps, withoutTokens } from './releasePlan.ts';
import { vsixTargets } from './vsixTarget.ts';

const root = resolve(import.meta.dirname, '..');
/** Milliseconds for one step; an upload has 3 MB at most. */
const stepTimeout = 600_000;

async function git(...args: readonly string[]): Promise<string> {
  return await mustRun('git', args, { cwd: root });
}

async function findProblems(version: string): Promise<string[]> {
  return releaseProblems({
    version,
    changelog: await readFile(join(root, 'CHANGELOG.md'), 'utf8'),
    today: new Date().toISOString().slice(0, 10),
    status: await git('status', '--porcelain'),
    tags: (await git('tag', '--list')).split('\n'),
    env: process.env,
  });
}

async function planFor(version: string): Promise<ReleaseStep[]> {
  await buildBundles();
  const packages = await packageTargets(vsixTargets);
  for (const { path, bytes } of packages)
    console.log(`packaged ${relative(root, path)} (${(bytes / 1e6).toFixed(2)} MB)`);
  return releaseSteps(
    packages.map(({ target, path }) => ({ target, path: relative(root, path) })),
    tagOf(version),
  );
}

async function run(step: ReleaseStep): Promise<void> {
  console.log(`> ${describeStep(step)}`);
  const { command, args, cwd } = step;
  const program = command === 'node' ? process.execPath : command;
  const options = { cwd: join(root, cwd), env: environmentOf(step, process.env), timeout: stepTimeout };
  await mustRun(program, args, options).catch((error: unknown) => {
    throw new Error(withoutTokens(error instanceof Error ? error.message : String(error), process.env));
  });
}

async function main(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...argv], options: { 'dry-run': { type: 'boolean', default: false } } });
  const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { version } = z.object({ version: z.string() }).parse(manifest);
  const problems = await findProblems(version);
  const list = problems.map((problem) => `  ${problem}\n`).join('');
  if (problems.length > 0) console.error(`${version} cannot be released yet:\n${list}`);
  if (problems.length > 0) process.exitCode = 1;
  if (values['dry-run']) {
    const steps = await planFor(version);
    console.log(`\n${problems.length > 0 ? 'Then these' : 'These'} would be run:`);
    for (const step of steps) console.log(`  ${describeStep(step)}`);
  } else if (problems.length === 0) {
    await runSteps(await planFor(version), run);
    console.log(`${version} is published. Now: git push origin ${tagOf(version)}`);
  }
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
