import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mustRun } from './command.ts';
import { readZipEntries } from './zipEntries.ts';

const prefix = 'extension/dist/node-pty/';

/** Runs in a Node of its own, with the unpacked library as its argument: a program in a terminal says something. */
const script = `
const { spawn } = require(process.argv[1]);
const pty = spawn(process.execPath, ['-p', '"in a " + (process.stdout.isTTY ? "terminal" : "pipe")'], { cols: 40, rows: 5 });
let output = '';
pty.onData((data) => (output += data));
pty.onExit(({ exitCode }) => {
  console.log(output.trim());
  process.exit(exitCode === 0 && output.includes('in a terminal') ? 0 : 1);
});`;

/**
 * Unpacks the node-pty of a package for this machine's platform into a new folder in `scratch` and opens a terminal with
 * it. Rejects with what went wrong.
 */
export async function checkPtyLoads(archive: Buffer, scratch: string): Promise<void> {
  const folder = await mkdtemp(join(scratch, 'unpacked-'));
  for (const { name, mode, read } of readZipEntries(archive).filter((entry) => entry.name.startsWith(prefix))) {
    const path = join(folder, name.slice(prefix.length));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, read());
    if (mode !== 0) await chmod(path, mode);
  }
  const library = join(folder, 'lib', 'index.js');
  await mustRun(process.execPath, ['-e', script, library], { timeout: 20_000 });
}
