// Takes a terminal's lock again and again, three times at once, and proves that nobody else has it meanwhile. Arguments: folder
// of the locks, folder of the proof, how often, and what it does in the end: `end`, or `hold` it until it is killed.
import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { pidExists } from '../../../src/base/pidExists.ts';
import { createTerminalLocks } from '../../../src/keys/lock.ts';
import { createProcessStates } from '../../../src/process/processStates.ts';

const [folder = '', proof = '', times = '1', atEnd = 'end'] = process.argv.slice(2);
/** Makes them look far more often than they would. */
const hastyClock: Clock = { ...systemClock, after: (_ms, callback) => systemClock.after(1, callback) };
const locks = createTerminalLocks({ folder, states: createProcessStates(), clock: hastyClock });
const signal = new AbortController().signal;
/** Made and removed by who holds the lock; names it. */
const inside = join(proof, 'inside');
process.stdin.resume().on('end', () => process.exit());

function enter(): void {
  try {
    symlinkSync(String(process.pid), inside);
  } catch {
    const other = Number(readlinkSync(inside));
    if (other === process.pid || pidExists(other)) throw new Error('two hold it');
    rmSync(inside);
    symlinkSync(String(process.pid), inside);
  }
}

async function takeOften(): Promise<void> {
  for (let time = 1; time <= Number(times); time += 1) {
    const lease = await locks.take('terminal', signal);
    try {
      enter();
      await turn();
      rmSync(inside);
    } catch (error) {
      process.stdout.write(`${String(error)}\n`);
    }
    lease.dispose();
  }
}

await Promise.all([takeOften(), takeOften(), takeOften()]);
if (atEnd === 'hold') {
  await locks.take('terminal', signal);
  process.stdout.write('held\n');
} else {
  process.stdout.write('done\n');
  process.exit();
}
