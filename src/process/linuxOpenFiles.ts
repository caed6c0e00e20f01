import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { readdir, readFile, readlink, stat, statfs } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FileHolder, FileHolders, ProcessDetails } from './fileHolders.ts';

/** The kernel's own number of the first PID namespace (PROC_PID_INIT_INO): only from there all processes are seen. */
const firstNamespace = 'pid:[4026531836]';
/** File systems that other machines write to as well: NFS, SMB, CIFS, 9P and FUSE (statfs(2)). */
const sharedFileSystems = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546]);
/** Unix98 pseudoterminals (Linux, devices.txt). */
const ptyMajor = 136;
const accessMode = 0o3;

/** Reads /proc (proc(5)). */
export function createLinuxOpenFiles() {
  return { holdersOf, details };
}

async function holdersOf(file: string): Promise<FileHolders> {
  try {
    const { dev, ino, uid } = await stat(file, { bigint: true });
    const holders: FileHolder[] = [];
    for (const pid of await pids()) {
      const holder = pid === process.pid ? undefined : holding(pid, basename(file), { dev, ino });
      if (holder) holders.push(holder);
      // Looking is quick but not asynchronous: others get their turn between two processes.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { holders, blind: await blindness(file, dev, Number(uid)) };
  } catch (error) {
    return { holders: [], blind: error instanceof Error ? error.message : String(error) };
  }
}

/** A process's view of the file's path may be another, in a container for one; device and inode are the same. */
function holding(pid: number, name: string, wanted: { dev: bigint; ino: bigint }): FileHolder | undefined {
  const folder = `/proc/${pid}/fd`;
  const writes: boolean[] = [];
  for (const descriptor of orNothing(() => readdirSync(folder)) ?? []) {
    const path = `${folder}/${descriptor}`;
    if (basename(orNothing(() => readlinkSync(path)) ?? '') !== name) continue;
    const stats = orNothing(() => statSync(path, { bigint: true }));
    if (stats?.dev !== wanted.dev || stats.ino !== wanted.ino) continue;
    const info = orNothing(() => readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1')) ?? '';
    const flags = Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(info)?.[1] ?? '2', 8);
    writes.push((flags & accessMode) !== 0);
  }
  return writes.length === 0 ? undefined : { pid, writes: writes.includes(true) };
}

/** Why a process that has the file open may be out of sight. Processes of the same user are in sight even with hidepid. */
async function blindness(file: string, device: bigint, owner: number): Promise<string | undefined> {
  const user = process.getuid?.();
  if (user !== 0 && user !== owner) return 'The file belongs to another user, whose processes cannot be seen.';
  const { type } = await statfs(file);
  if (sharedFileSystems.has(type >>> 0)) return 'The file lies on a file system that other machines write to as well.';
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  const root = await stat('/', { bigint: true });
  if (namespace !== firstNamespace && root.dev !== device) {
    return 'The file lies outside of this container, so processes that cannot be seen may have it open.';
  }
  return undefined;
}

async function details(pid: number): Promise<ProcessDetails | undefined> {
  const stat = await readStat(pid);
  if (!stat) return undefined;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const children: number[] = [];
  for (const other of await pids()) {
    if ((await readStat(other))?.parent === pid) children.push(other);
  }
  const argv = commandLine.split('\0').slice(0, -1);
  return { pid, parent: stat.parent, argv, tty: ttyPath(stat.tty), children };
}

async function pids(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Fields 3, 4 and 7. Undefined for a process that is gone or has ended unreaped. */
async function readStat(pid: number): Promise<{ parent: number; tty: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const [state, parent, , , tty] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (parent === undefined || tty === undefined || state === 'Z' || state === 'X') return undefined;
  return { parent: Number(parent), tty: Number(tty) };
}

/** The device number's bits: minor 0-7 and 20-31, major 8-15. */
function ttyPath(device: number): string | undefined {
  const major = (device >> 8) & 0xff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  if (major === ptyMajor) return `/dev/pts/${minor}`;
  return major === 4 ? `/dev/tty${minor}` : undefined;
}

/** A process may end, or close a file, between two looks at it. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
