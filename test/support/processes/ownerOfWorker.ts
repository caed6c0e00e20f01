import { startWorker } from '../../../src/process/spawn.ts';

/** A process that owns a guarded run of the fake worker, for a test to kill: `ownerOfWorker <run id> <worker> <guard> <act>…`. */
const [runId = '', worker = '', guard = '', ...acts] = process.argv.slice(2);
startWorker(
  {
    file: process.execPath,
    args: [worker, ...acts],
    cwd: process.cwd(),
    env: { PATH: process.env.PATH },
    runId,
    guard: { file: process.execPath, args: [guard], env: { PATH: process.env.PATH } },
  },
  { onLine: (line) => void process.stdout.write(`${line}\n`), onFlood: () => undefined },
);
