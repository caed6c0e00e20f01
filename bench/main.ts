// npm run bench [-- [group...] [--quick] [--write]]: measures and prints a table with medians and spreads. `--quick` takes
// fewer samples; `--write` keeps the report as docs/bench.md. Exit code 1 when a target was missed or a group failed.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { mustRun } from '../scripts/command.ts';
import { activation } from './activation.ts';
import { approvals } from './approvals.ts';
import { bundles } from './bundles.ts';
import { context } from './context.ts';
import { delegation } from './delegation.ts';
import { journal } from './journal.ts';
import { mcp } from './mcp.ts';
import { isMissed, markdown, type Section } from './report.ts';
import type { Effort, Group } from './row.ts';
import { sandbox } from './sandbox.ts';
import { snapshot } from './snapshot.ts';
import { stores } from './stores.ts';
import { views } from './views.ts';

const root = resolve(import.meta.dirname, '..');
const groups: readonly Group[] = [
  ...[delegation, mcp, activation, bundles, context, journal, snapshot, sandbox, stores, approvals, views],
];

const intro = `# Measurements

Written by \`npm run bench -- --write\`. Things that are compared were measured by turns in one run, and the difference or
ratio is that of each pair. The middle columns are the median and the range from the tenth to the ninetieth percentile.
`;

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  });
  const unknown = positionals.filter((name) => !groups.some((group) => group.name === name));
  if (unknown.length > 0) {
    throw new Error(`unknown group ${unknown.join(', ')}; there are: ${groups.map(({ name }) => name).join(', ')}`);
  }
  if (values.write && positionals.length > 0) throw new Error('--write keeps a whole report: name no group with it');
  await mustRun(process.execPath, [join(root, 'esbuild.mjs')], { cwd: root });
  const effort: Effort = { rounds: (usual) => Math.max(2, values.quick ? Math.round(usual / 5) : usual) };
  const wanted = positionals.length === 0 ? groups : groups.filter(({ name }) => positionals.includes(name));
  const sections: Section[] = [];
  for (const group of wanted) {
    process.stderr.write(`measuring ${group.name}\n`);
    sections.push(await runGroup(group, effort));
  }
  const report = markdown(sections);
  console.log(report);
  if (values.write) {
    await mkdir(join(root, 'docs'), { recursive: true });
    await writeFile(join(root, 'docs', 'bench.md'), `${intro}\n${report}`);
  }
  if (sections.some(isMissed)) process.exitCode = 1;
}

/** What fails costs its own group. */
async function runGroup(group: Group, effort: Effort): Promise<Section> {
  try {
    return { group, found: await group.run(effort) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { group, found: { failure: `Could not be measured: ${why}` } };
  }
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
