import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { readdir, readFile, readlink, stat, statfs } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FileHolder, FileHolders, ProcessDetails } from './fileHolders.ts';
import { readStat } from './linuxStat.ts';

/** The kernel's own number of the first PID namespace (PROC_PID_INIT_INO): only from there all processes are seen. */
const firstNamespace = 'pid:[4026531836]';
/** File systems that other machines write to as well: NFS, SMB, CIFS, 9P and FUSE (statfs(2)). */
const sharedFileSystems = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546]);
const accessMode = 0o3;

/** Reads /proc (proc(5)). */
export function createLinuxOpenFiles() {
  return { holdersOf, details };
}

/** One look at every process, however many files are asked about. */
async function holdersOf(files: readonly string[]): Promise<FileHolders[]> {
  const blindness = createBlindness();
  const wanted = await Promise.all(files.map((file) => lookFor(file, blindness)));
  const byIdentity = Map.groupBy(
    wanted.filter(({ identity }) => identity !== undefined),
    ({ identity }) => identity,
  );
  const names = new Set(files.map((file) => basename(file)));
  for (const pid of byIdentity.size === 0 ? [] : await pids()) {
    const held = pid === process.pid ? [] : holding(pid, names);
    for (const [identity, writes] of held) {
      for (const { holders } of byIdentity.get(identity) ?? []) holders.push({ pid, writes });
    }
    // Looking is quick but not asynchronous: others get their turn between two processes.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return wanted.map(({ holders, blind }) => ({ holders, blind }));
}

interface Wanted {
  /** Undefined when the file cannot be looked at. */
  identity: string | undefined;
  holders: FileHolder[];
  blind: string | undefined;
}

async function lookFor(file: string, blindness: Blindness): Promise<Wanted> {
  try {
    const { dev, ino, uid } = await stat(file, { bigint: true });
    return { identity: identityOf({ dev, ino }), holders: [], blind: await blindness(file, dev, Number(uid)) };
  } catch (error) {
    return { identity: undefined, holders: [], blind: error instanceof Error ? error.message : String(error) };
  }
}

function identityOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`;
}

/**
 * The files of these names that a process has open, and whether to write. Its view of a file's path may be another, in a
 * container for one; device and inode are the same.
 */
function holding(pid: number, names: ReadonlySet<string>): Map<string, boolean> {
  const held = new Map<string, boolean>();
  const folder = `/proc/${pid}/fd`;
  for (const descriptor of orNothing(() => readdirSync(folder)) ?? []) {
    const path = `${folder}/${descriptor}`;
    if (!names.has(basename(orNothing(() => readlinkSync(path)) ?? ''))) continue;
    const stats = orNothing(() => statSync(path, { bigint: true }));
    if (!stats) continue;
    const info = orNothing(() => readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1')) ?? '';
    const flags = Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(info)?.[1] ?? '2', 8);
    const identity = identityOf(stats);
    held.set(identity, held.get(identity) === true || (flags & accessMode) !== 0);
  }
  return held;
}

type Blindness = (file: string, device: bigint, owner: number) => Promise<string | undefined>;

/**
 * Tells why a process that has a file open may be out of sight. Processes of the same user are in sight even with hidepid.
 * What is the same for all files of a look is asked once.
 */
function createBlindness(): Blindness {
  const user = process.getuid?.();
  const fileSystems = new Map<bigint, Promise<number>>();
  let container: Promise<bigint | undefined> | undefined;
  return async (file, device, owner) => {
    if (user !== 0 && user !== owner) return 'The file belongs to another user, whose processes cannot be seen.';
    const type = fileSystems.get(device) ?? statfs(file).then((stats) => stats.type >>> 0);
    fileSystems.set(device, type);
    if (sharedFileSystems.has(await type)) {
      return 'The file lies on a file system that other machines write to as well.';
    }
    container ??= containerDevice();
    const own = await container;
    if (own !== undefined && own !== device) {
      return 'The file lies outside of this container, so processes that cannot be seen may have it open.';
    }
    return undefined;
  };
}

/** The device of this container's own files; undefined when this is none. */
async function containerDevice(): Promise<bigint | undefined> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return namespace === firstNamespace ? undefined : (await stat('/', { bigint: true })).dev;
}

async function details(pid: number): Promise<ProcessDetails | undefined> {
  const stat = await readStat(pid);
  if (typeof stat === 'string') return undefined;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const children: number[] = [];
  for (const other of await pids()) {
    const child = await readStat(other);
    if (typeof child === 'object' && child.parent === pid) children.push(other);
  }
  const argv = commandLine.split('\0').slice(0, -1);
  return { pid, parent: stat.parent, argv, tty: stat.tty, children };
}

async function pids(): Promise<number[]> {
  const names = await readdir('/proc').catch((): string[] => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** A process may end, or close a file, between two looks at it. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
