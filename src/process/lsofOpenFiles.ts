import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { FileHolder, FileHolders, ProcessDetails } from './fileHolders.ts';

const lsofPlaces = ['/usr/sbin/lsof', '/usr/bin/lsof', '/sbin/lsof'];
const timeoutMs = 10_000;

/** Asks `lsof` who has a file open and `ps` about processes, which see what belongs to the same user. */
export function createLsofOpenFiles(places: readonly string[] = lsofPlaces) {
  const lsof = (): string | undefined => places.find((place) => existsSync(place));
  return { holdersOf: (file: string) => holdersOf(file, lsof()), details };
}

/** With -F every line is one field: p a process, f a descriptor, a its access (r, w, u for both). */
async function holdersOf(file: string, lsof: string | undefined): Promise<FileHolders> {
  if (lsof === undefined)
    return { holders: [], blind: 'The program lsof, which tells who has a file open, is missing.' };
  const { output, failed } = await run(lsof, ['-w', '-F', 'pa', '--', file]);
  const holders: FileHolder[] = [];
  for (const line of output.split('\n')) {
    const last = holders.at(-1);
    if (line.startsWith('p')) holders.push({ pid: Number(line.slice(1)), writes: false });
    else if (last && /^a[wu]/.test(line)) last.writes = true;
  }
  // It ends with 1 both when nobody has the file open and when it could not look; only then it says something.
  const blind = failed === undefined ? undefined : `lsof failed: ${failed}`;
  return { holders: holders.filter(({ pid }) => pid !== process.pid), blind };
}

async function details(pid: number): Promise<ProcessDetails | undefined> {
  const { output } = await run('/bin/ps', ['-ww', '-o', 'stat=,ppid=,tty=,args=', '-p', String(pid)]);
  const [, state = 'Z', parent, tty = '', command = ''] = /^\s*(\S+)\s+(\d+)\s+(\S+)\s+(.*)$/m.exec(output) ?? [];
  if (state.startsWith('Z')) return undefined;
  const all = await run('/bin/ps', ['-ax', '-o', 'pid=,ppid=,stat=']);
  const children = all.output.split('\n').flatMap((line) => {
    const [child, above, childState = 'Z'] = line.trim().split(/\s+/);
    return above === String(pid) && !childState.startsWith('Z') ? [Number(child)] : [];
  });
  const path = /^\?+$/.test(tty) ? undefined : `/dev/${tty}`;
  return { pid, parent: Number(parent), argv: command.split(' '), tty: path, children };
}

/** `failed`: what went wrong, as far as the program tells. */
function run(file: string, args: string[]): Promise<{ output: string; failed: string | undefined }> {
  return new Promise((resolve) => {
    const options = { env: { LC_ALL: 'C' }, timeout: timeoutMs, maxBuffer: 16 * 1024 * 1024 };
    execFile(file, args, options, (error, stdout, stderr) => {
      const said = stderr.trim().split('\n')[0] ?? '';
      const failed = error?.killed === true ? 'it took too long' : said === '' ? undefined : said;
      resolve({ output: stdout, failed });
    });
  });
}
