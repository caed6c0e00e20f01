import { systemClock } from '../../../src/base/clock.ts';
import { openJournal } from '../../../src/journal/journal.ts';

// A process of its own that writes runs to a journal folder until it is killed, or has written as many as it was told.
// Arguments: folder, name, count. Prints a line once the first run is written.

const [folder = '', name = '', count = '0'] = process.argv.slice(2);
const owner = { pid: process.pid, startedAt: name, kind: 'standalone' } as const;
const journal = openJournal({
  folder,
  owner,
  clock: systemClock,
  isAlive: () => true,
  onError: (message) => process.stderr.write(message),
});
for (let number = 0; number < Number(count); number += 1) {
  const runId = `${name}-${number}`;
  const at = Date.now();
  const title = 'x'.repeat(100);
  const started = {
    type: 'started',
    at,
    runId,
    owner,
    tool: 'delegate',
    engine: 'codex',
    access: 'full',
    cwd: '/',
    title,
  } as const;
  const nothing = { files: new Array<never>(), notes: new Array<never>() };
  const ended = { type: 'ended', at, runId, status: 'completed', charsRead: 1, ...nothing } as const;
  await Promise.all([journal.append(started), journal.append(ended)]);
  if (number === 0) process.stdout.write('writing\n');
}
await journal.dispose();
