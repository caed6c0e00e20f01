import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FileHolder, FileHolders, ProcessDetails } from './fileHolders.ts';

const lsofPlaces = ['/usr/sbin/lsof', '/usr/bin/lsof', '/sbin/lsof'];
const timeoutMs = 10_000;
/** Paths fit into the arguments of one program. */
const filesAtOnce = 200;

/** Asks `lsof` who has a file open and `ps` about processes, which see what belongs to the same user. */
export function createLsofOpenFiles(places: readonly string[] = lsofPlaces) {
  const lsof = (): string | undefined => places.find((place) => existsSync(place));
  return { holdersOf: (files: readonly string[]) => holdersOf(files, lsof()), details };
}

/** With -F every line is one field: p a process, f a descriptor, a its access (r, w, u for both), D and i device and inode. */
async function holdersOf(files: readonly string[], lsof: string | undefined): Promise<FileHolders[]> {
  const why = 'The program lsof, which tells who has a file open, is missing.';
  if (lsof === undefined) return files.map(() => ({ holders: [], blind: why }));
  const answers: FileHolders[] = [];
  for (let from = 0; from < files.length; from += filesAtOnce) {
    answers.push(...(await askAbout(files.slice(from, from + filesAtOnce), lsof)));
  }
  return answers;
}

async function askAbout(files: readonly string[], lsof: string): Promise<FileHolders[]> {
  const identities = await Promise.all(files.map(identityOf));
  const present = files.filter((_, index) => typeof identities[index] === 'bigint');
  const { output, failed } =
    present.length === 0 ? { output: '', failed: undefined } : await run(lsof, ['-w', '-F', 'pai', '--', ...present]);
  const held = openOf(output.split('\n'));
  // It ends with 1 both when nobody has a file open and when it could not look; only then it says something.
  const blind = failed === undefined ? undefined : `lsof failed: ${failed}`;
  return identities.map((identity) => {
    if (typeof identity === 'string') return { holders: [], blind: identity };
    const found = held.filter(({ inode, pid }) => inode === identity && pid !== process.pid);
    return { holders: merged(found), blind };
  });
}

/** Its inode; it is known by that in what lsof prints, whatever path it prints. Or why it cannot be looked at. */
async function identityOf(file: string): Promise<bigint | string> {
  return await stat(file, { bigint: true }).then(
    ({ ino }) => ino,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

interface OpenFile extends FileHolder {
  inode: bigint;
}

function openOf(lines: readonly string[]): OpenFile[] {
  const open: OpenFile[] = [];
  let pid = 0;
  let writes = false;
  for (const line of lines) {
    const value = line.slice(1);
    if (line.startsWith('p')) pid = Number(value);
    else if (line.startsWith('a')) writes = /^[wu]/.test(value);
    else if (/^i\d+$/.test(line)) open.push({ pid, writes, inode: BigInt(value) });
  }
  return open;
}

/** One for each process, which writes when any of its descriptors does. */
function merged(open: readonly OpenFile[]): FileHolder[] {
  const writes = new Map<number, boolean>();
  for (const each of open) writes.set(each.pid, each.writes || writes.get(each.pid) === true);
  return [...writes].map(([pid, any]) => ({ pid, writes: any }));
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
