// node scripts/withSetup.mjs <script> [arguments]
// Installs the pinned dependencies when they are missing or out of date, then runs the script under Node 24.
// Runs on any Node from 20 on and uses built-ins alone, because nothing is installed when it starts.
// Writes only to stderr: stdout belongs to the script (the MCP server speaks its protocol there).
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLockFile } from './lockFile.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.installed-from');
const neededMajor = 24;

async function wantedStamp() {
  const lock = await readFile(join(root, 'package-lock.json'));
  return `${process.platform}-${process.arch} ${createHash('sha256').update(lock).digest('hex')}\n`;
}

async function isInstalled(stamp) {
  return (await readFile(stampFile, 'utf8').catch(() => '')) === stamp;
}

async function installDependencies() {
  const stamp = await wantedStamp();
  if (await isInstalled(stamp)) return;
  await withLockFile(join(root, '.cache', 'install.lock'), async () => {
    if (await isInstalled(stamp)) return;
    const started = Date.now();
    process.stderr.write('Sallyport: installing the pinned dependencies (npm ci)\n');
    const code = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    if (code !== 0) throw new Error(`npm ci failed (exit code ${code}). Its own message is above.`);
    await writeFile(stampFile, stamp);
    process.stderr.write(`Sallyport: installed in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
  });
}

/** The Node that came with the dependencies, else the running one when it is new enough. */
function findNode() {
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  const target = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const packaged = [`node-${target}`, `node-bin-${target}`].map((name) => join(modules, name, 'bin', binary));
  const found = packaged.find((path) => existsSync(path));
  if (found !== undefined) return found;
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) return process.execPath;
  throw new Error(
    `this needs Node ${neededMajor} and none came with the dependencies for ${target}. ` +
      `Install Node ${neededMajor} or later (https://nodejs.org) and run the same command again.`,
  );
}

/** Runs a program to its end, passing signals on; resolves to its exit code. */
function run(command, args, options) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, options);
    const forward = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    child.on('error', fail);
    child.on('close', (code, signal) => {
      for (const each of signals) process.off(each, forward);
      done(code ?? 128 + constants.signals[signal]);
    });
  });
}

async function main([script, ...args]) {
  if (script === undefined) throw new Error('usage: node scripts/withSetup.mjs <script> [arguments]');
  await installDependencies();
  const node = findNode();
  const path = [join(modules, '.bin'), dirname(node), process.env.PATH].join(delimiter);
  return await run(node, [resolve(root, script), ...args], { stdio: 'inherit', env: { ...process.env, PATH: path } });
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.stderr.write(`Sallyport: ${error.message}\n`);
    process.exitCode = 1;
  },
);
