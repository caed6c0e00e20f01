import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('walFuzzWriter.ts', import.meta.url));

/** A process that writes at random; see walFuzzWriter.ts. */
export interface FuzzWriter {
  /** Takes one step, and returns what SQLite reads then as a digest. In mode `steps` only. */
  step(): Promise<string>;
  /** Ends it and waits until it is gone. */
  end(): Promise<void>;
}

/** Starts it; in mode `free` it has committed once when this resolves. */
export async function startFuzzWriter(file: string, seed: number, mode: 'steps' | 'free'): Promise<FuzzWriter> {
  const child = spawn(process.execPath, [program, file, String(seed), mode], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done) throw new Error(`the writer of seed ${seed} ended by itself`);
    return line.value;
  };
  if (mode === 'free') await nextLine();
  return {
    async step() {
      child.stdin.write('\n');
      return await nextLine();
    },
    end: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'close');
  child.stdin?.end();
  if (child.exitCode === null) await gone;
}
