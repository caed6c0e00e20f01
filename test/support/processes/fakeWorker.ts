import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/**
 * A worker that does what its arguments say, one after the other, and then ends when its input does. Each is a word,
 * with a number or text behind `=` where it takes one.
 */
const acts: Record<string, (value: string) => void | Promise<void>> = {
  /** Prints the text as a line. */
  say: (text) => print(`${text}\n`),
  complain: (text) => void process.stderr.write(text),
  /** Prints these bytes (hexadecimal). */
  bytes: (hex) => print(Buffer.from(hex, 'hex')),
  /** Prints one line of so many MiB. */
  longLine: async (mebibytes) => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let i = 0; i < Number(mebibytes); i++) await print(piece);
    await print('\n');
  },
  ignoreSignals: () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  },
  endOnInterrupt: () => void process.on('SIGINT', () => process.exit(7)),
  /** Starts a child in a session of its own that ignores polite signals; prints its process id, or writes it to a file. */
  grandchild: async (file) => {
    const script = `for (const s of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(s, () => {}); setTimeout(process.exit, 60_000); console.log('up')`;
    const child = spawn(process.execPath, ['-e', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.unref();
    if (file === '') await print(`${child.pid ?? 0}\n`);
    else writeFileSync(file, String(child.pid));
  },
  /** Leaves a background process without our environment that holds our output open, and prints its process id. */
  holdOutput: async () => {
    const { PATH } = process.env;
    const child = spawn('sleep', ['60'], { detached: true, env: { PATH }, stdio: ['ignore', 'inherit', 'inherit'] });
    child.unref();
    await print(`${child.pid ?? 0}\n`);
  },
  /** Repeats each line of input behind `echo `. */
  echo: () => {
    process.stdin.setEncoding('utf8').on('data', (text: string) => void print(`echo ${text}`));
  },
  closeInput: () => void process.stdin.destroy(),
  exit: (code) => process.exit(Number(code)),
  /** Stays although its input ends; a minute at most, so that a failing test leaves nothing for long. */
  stay: () => void setTimeout(() => process.exit(), 60_000),
};

function print(data: string | Buffer): Promise<void> {
  return new Promise((resolve) => process.stdout.write(data, () => resolve()));
}

for (const argument of process.argv.slice(2)) {
  const [name = '', value = ''] = argument.split(/=(.*)/s);
  const act = acts[name];
  if (!act) throw new Error(`The fake worker does not know "${name}".`);
  await act(value);
}
process.stdin.resume();
