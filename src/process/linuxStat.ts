import { readFile } from 'node:fs/promises';

/** Unix98 pseudoterminals and virtual consoles (Linux, devices.txt). */
const ptyMajor = 136;
const consoleMajor = 4;

/** A line of /proc/<pid>/stat (proc(5), fields 3 to 8 and 22). */
export interface LinuxStat {
  state: string;
  parent: number;
  group: number;
  session: number;
  /** Absolute path of the controlling terminal. */
  tty: string | undefined;
  /** The process group in that terminal's foreground. */
  foreground: number | undefined;
  /** Clock ticks after boot. */
  startTime: string;
}

/** Of a process that runs. `ended`: there is none, or it has ended unreaped. `unknown`: it could not be looked at. */
export async function readStat(pid: number): Promise<LinuxStat | 'ended' | 'unknown'> {
  try {
    const stat = parseStat(await readFile(`/proc/${pid}/stat`, 'latin1'));
    if (stat === undefined) return 'unknown';
    return stat.state === 'Z' || stat.state === 'X' ? 'ended' : stat;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOENT' || code === 'ESRCH' ? 'ended' : 'unknown';
  }
}

/** The second field is the program's name in brackets and may hold anything, brackets and spaces too. */
export function parseStat(text: string): LinuxStat | undefined {
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .trim()
    .split(' ');
  const [state, parent, group, session, tty, foreground] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined) return undefined;
  return {
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    tty: ttyPath(Number(tty)),
    foreground: Number(foreground) > 0 ? Number(foreground) : undefined,
    startTime,
  };
}

/** The device number's bits: minor 0-7 and 20-31, major 8-15. */
function ttyPath(device: number): string | undefined {
  const major = (device >> 8) & 0xff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  if (major === ptyMajor) return `/dev/pts/${minor}`;
  return major === consoleMajor ? `/dev/tty${minor}` : undefined;
}
