// npm run soak [-- --minutes 90]: a session that asks every ten seconds, answered in a real editor, for as long as that.
// Prints what the window holds, minute by minute, and fails when that grows, when anything is lost or when anything is left.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packageExtension } from './package.ts';
import { runSuiteProcess } from './suiteProcess.ts';
import { suites, missingNeeds } from './suites.ts';

const root = resolve(import.meta.dirname, '..');
const suite = suites.find(({ name }) => name === 'soak');
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '90' } } });
const minutes = Number(values.minutes);
if (!(minutes >= 1)) throw new Error(`--minutes must be a number from 1 on, not ${values.minutes}`);

const missing = suite ? await missingNeeds(suite) : [];
if (missing.length > 0) throw new Error(missing.join('\n'));
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
const { failures, passed } = await runSuiteProcess('soak', {
  args: (results) => [
    resolve(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
    ...['--reporter', 'json', '--reporter-option', `output=${results}`],
    resolve(root, 'test', 'soak', 'soak.test.ts'),
  ],
  env: { SALLYPORT_VSIX: await packageExtension(), SALLYPORT_SOAK_MINUTES: String(minutes) },
  timeout: (minutes * 2 + 10) * 60_000,
  signal: stopping.signal,
  onOutput: (chunk) => process.stdout.write(chunk),
});
for (const { title, detail } of failures) console.log(`FAILED: ${title}\n${detail.replace(/^/gm, '    ')}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
