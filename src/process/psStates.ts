import { pidExists } from '../base/pidExists.ts';
import { ps } from './ps.ts';

/** ProcessStates that ask `ps`, with columns that macOS, the BSDs and Linux have in common. */
export function createPsStates() {
  return { of, ancestors, variable };
}

async function of(pid: number) {
  const { rows, answered } = await ps(['-o', 'ppid=,pgid=,tpgid=,stat=,tty=,lstart=', '-p', String(pid)]);
  const state = parsePsState(rows[0] ?? '');
  if (state !== undefined) return state;
  return answered && !pidExists(pid) ? 'ended' : 'unknown';
}

/** A row of the columns that `of` asks for. Undefined when it is none. */
export function parsePsState(row: string) {
  const match = /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\S+)\s+(\S.*?)\s*$/.exec(row);
  if (!match) return undefined;
  const [, parent, group, foreground, stat = '', tty = '', startedAt = ''] = match;
  if (stat.startsWith('Z')) return 'ended';
  return {
    parent: Number(parent),
    group: Number(group),
    session: undefined,
    tty: /^(\?+|-)$/.test(tty) ? undefined : `/dev/${tty}`,
    foreground: Number(foreground) > 0 ? Number(foreground) : undefined,
    stopped: /^t/i.test(stat),
    startedAt,
  };
}

async function ancestors(pid: number): Promise<number[]> {
  return lineAbove(pid, (await ps(['-axo', 'pid=,ppid='])).rows);
}

/** From rows of `pid ppid`. */
export function lineAbove(pid: number, rows: readonly string[]): number[] {
  const parents = new Map<number, number>();
  for (const row of rows) {
    const [child, parent] = row.trim().split(/\s+/).map(Number);
    if (child !== undefined && parent !== undefined) parents.set(child, parent);
  }
  const above: number[] = [];
  for (let at = parents.get(pid); at !== undefined && at > 0; at = parents.get(at)) above.push(at);
  return above;
}

async function variable(pid: number, name: string): Promise<string | undefined> {
  const { rows } = await ps(['-Eww', '-o', 'command=', '-p', String(pid)]);
  return variableIn(rows.join('\n'), name);
}

/** From what -E prints: the command, then its environment, parted by spaces. A value with a space in it comes cut. */
export function variableIn(row: string, name: string): string | undefined {
  const at = row.lastIndexOf(` ${name}=`);
  return at === -1 ? undefined : /^\S*/.exec(row.slice(at + name.length + 2))?.[0];
}
