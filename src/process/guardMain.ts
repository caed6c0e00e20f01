import { dismissal } from './guard.ts';
import { killGroup, sweep } from './killTree.ts';
import { runMarker } from './marker.ts';
import { createProcessTable } from './processTable.ts';

/**
 * Entry point of dist/guard.cjs: `guard <run id> <worker's pid>`. Ends the run when standard input ends without the
 * owner's dismissal, which is what a kill -9 of the owner looks like from here.
 */
async function main(runId: string, pid: number): Promise<void> {
  let heard = '';
  process.stdin.setEncoding('utf8').on('data', (text: string) => (heard += text));
  await new Promise((resolve) => process.stdin.once('close', resolve).once('error', resolve));
  if (heard === dismissal) return;
  await killGroup(pid);
  await sweep(runMarker(runId), createProcessTable());
}

const [runId, pid] = process.argv.slice(2);
if (runId === undefined || !(Number(pid) > 1)) process.exitCode = 2;
else void main(runId, Number(pid));
