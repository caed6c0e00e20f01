import { readFile } from 'node:fs/promises';
import { readStat } from './linuxStat.ts';

/** ProcessStates that read /proc (proc(5)). */
export function createLinuxStates() {
  return { of, ancestors, variable };
}

async function of(pid: number) {
  const stat = await readStat(pid);
  if (typeof stat === 'string') return stat;
  const { parent, group, session, tty, foreground, state, startTime } = stat;
  return { parent, group, session, tty, foreground, stopped: /^t$/i.test(state), startedAt: startTime };
}

async function ancestors(pid: number): Promise<number[]> {
  const above: number[] = [];
  for (
    let stat = await readStat(pid);
    typeof stat === 'object' && stat.parent > 0;
    stat = await readStat(stat.parent)
  ) {
    above.push(stat.parent);
  }
  return above;
}

async function variable(pid: number, name: string): Promise<string | undefined> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const entry = environment.split('\0').find((each) => each.startsWith(`${name}=`));
  return entry?.slice(name.length + 1);
}
