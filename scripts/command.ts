import crossSpawn from 'cross-spawn';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Milliseconds after which the command is killed. */
  readonly timeout?: number;
}

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  /** Standard output and standard error in the order they came. */
  readonly output: string;
}

/** Runs a program to its end without a terminal and returns what it printed. Rejects only when it cannot be started. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = crossSpawn(command, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    const collect = (chunk: Buffer): void => void chunks.push(chunk);
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') }));
  });
}

/** Like runCommand, but a failure is an error that carries the end of the output. */
export async function mustRun(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, output } = await runCommand(command, args, options);
  if (code === 0) return output;
  throw new Error(
    `${[command, ...args].join(' ')} failed (exit code ${String(code)}):\n${output.trim().slice(-2_000)}`,
  );
}
