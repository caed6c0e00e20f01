import { setTimeout as pause } from 'node:timers/promises';
import { sendSignal } from './killTree.ts';
import type { OpenFiles } from './openFiles.ts';
import type { ProcessTable } from './processTable.ts';

/** How long programs have to end after the hang-up, and how often it is looked whether they have. */
const graceMs = 2000;
const lookMs = 50;
/** A tree that is larger than this is not looked through to its end. */
const maxProcesses = 1000;

/** How to see processes. */
export interface TreeSight {
  openFiles: Pick<OpenFiles, 'details'>;
  table: Pick<ProcessTable, 'startTime' | 'isAlive'>;
}

type Member = readonly [pid: number, startedAt: string];

/**
 * Ends what a terminal runs, as closing a terminal does: everything below `leader`, which leads its own process group, gets
 * a hang-up, and what is still there two seconds later is killed. What has detached itself before (its parent is gone) is
 * left alone, as any terminal would. Only for a leader that is alive. Never rejects.
 */
export async function hangUpTree(leader: number, sight: TreeSight): Promise<void> {
  const members = await treeOf(leader, sight);
  sendSignal(-leader, 'SIGHUP');
  for (const [pid] of members) sendSignal(pid, 'SIGHUP');
  let left = members;
  for (let waited = 0; left.length > 0 && waited < graceMs; waited += lookMs) {
    await pause(lookMs);
    left = await alive(left, sight);
  }
  // What they started meanwhile goes with them.
  const late = await Promise.all(left.map(([pid]) => treeOf(pid, sight)));
  for (const [pid] of [...left, ...late.flat()]) sendSignal(pid, 'SIGKILL');
}

async function treeOf(leader: number, { openFiles, table }: TreeSight): Promise<Member[]> {
  const found = new Map<number, string>();
  const waiting = [leader];
  for (let pid = waiting.shift(); pid !== undefined && found.size < maxProcesses; pid = waiting.shift()) {
    const [startedAt, details] = await Promise.all([table.startTime(pid), openFiles.details(pid)]);
    if (startedAt === undefined || found.has(pid)) continue;
    found.set(pid, startedAt);
    waiting.push(...(details?.children ?? []));
  }
  return [...found];
}

async function alive(members: readonly Member[], { table }: TreeSight): Promise<Member[]> {
  const isAlive = await Promise.all(members.map(([pid, startedAt]) => table.isAlive(pid, startedAt)));
  return members.filter((_, index) => isAlive[index]);
}
