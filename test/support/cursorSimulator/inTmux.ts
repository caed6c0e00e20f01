import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type LogEntry, readLog } from './log.ts';
import type { ScenarioInput } from './scenario.ts';

const execute = promisify(execFile);
const lookAgainMs = 25;
/** Longer than what the agent takes for a burst. */
const keyGapMs = 115;

/** The executable; its name is what tmux calls the pane's program. */
export const simulatorBinary = join(import.meta.dirname, 'bin', 'cursor-agent');

export interface SimulatorOptions {
  scenario: ScenarioInput;
  /** Cursor's configuration folder; one of its own when left out. */
  root?: string;
  /** An existing folder; one of its own when left out. */
  cwd?: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  size?: { columns: number; rows: number };
  /** Whether the pane stays when the agent has ended. */
  remainOnExit?: boolean;
  /** Starts it from a shell, which has the pane again when the agent has ended. */
  inShell?: boolean;
}

/** A tmux server of its own, with everything that its simulators need. Dispose it: nothing is left then. */
export class SimulatorServer {
  /** Holds all files; short, since sockets have short names. */
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'sp-sim-')));
  readonly socket = join(this.folder, 'tmux');
  readonly #simulators: Simulator[] = [];

  /** Runs a tmux command on this server and returns what it prints. */
  async tmux(...args: readonly string[]): Promise<string> {
    // tmux would nest into the one that tests are started from.
    const { TMUX: _tmux, TMUX_PANE: _pane, ...env } = process.env;
    const { stdout } = await execute('tmux', ['-f', '/dev/null', '-S', this.socket, ...args], { env });
    return stdout;
  }

  /** Starts a simulator in a pane of its own. */
  async start(options: SimulatorOptions): Promise<Simulator> {
    const { scenario, args = [], env = {}, size = { columns: 80, rows: 24 }, remainOnExit = true } = options;
    const own = join(this.folder, `s${this.#simulators.length + 1}`);
    const { root = join(own, 'cursor'), cwd = join(own, 'work') } = options;
    const files = { scenario: join(own, 'scenario.json'), log: join(own, 'log.jsonl') };
    for (const folder of [own, root, cwd]) mkdirSync(folder, { recursive: true });
    writeFileSync(files.scenario, JSON.stringify(scenario));
    const variables = {
      CURSOR_CONFIG_DIR: root,
      CURSOR_SIMULATOR_SCENARIO: files.scenario,
      CURSOR_SIMULATOR_LOG: files.log,
      ...env,
    };
    const command = [simulatorBinary, ...args];
    const pane = await this.tmux(
      ...['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', String(size.columns), '-y', String(size.rows)],
      ...['-c', cwd, ...Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`])],
      ...(options.inShell === true ? ['bash', '--norc', '--noprofile', '-i'] : command),
    );
    if (remainOnExit) await this.tmux('set-option', '-w', '-t', pane.trim(), 'remain-on-exit', 'on');
    const simulator = new Simulator(this, { pane: pane.trim(), root, cwd, logFile: files.log });
    this.#simulators.push(simulator);
    if (options.inShell === true) {
      await this.tmux('send-keys', '-t', simulator.pane, command.join(' '), 'Enter');
    }
    return simulator;
  }

  /** Ends all that runs and removes all files. */
  async dispose(): Promise<void> {
    await this.tmux('kill-server').catch(() => undefined);
    const pids = this.#simulators.flatMap((each) => each.pids());
    while (await areAlive(pids)) await delay(lookAgainMs);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One simulated agent in its pane. */
export class Simulator {
  readonly server: SimulatorServer;
  /** tmux's id of it, such as `%0`. */
  readonly pane: string;
  readonly root: string;
  readonly cwd: string;
  readonly logFile: string;

  constructor(server: SimulatorServer, place: { pane: string; root: string; cwd: string; logFile: string }) {
    this.server = server;
    this.pane = place.pane;
    this.root = place.root;
    this.cwd = place.cwd;
    this.logFile = place.logFile;
  }

  log(): LogEntry[] {
    return readLog(this.logFile);
  }

  /** The processes that were started in the pane: one for each start. */
  pids(): number[] {
    return this.log().flatMap((entry) => (entry.event === 'start' ? [entry.pid] : []));
  }

  /** The folder of the newest chat. Waits until there is one. */
  async chatFolder(): Promise<string> {
    const log = await this.logged((entry) => entry.event === 'chat');
    return log.findLast((entry) => entry.event === 'chat')?.folder ?? '';
  }

  /** The rows of its screen. */
  async screen(): Promise<string[]> {
    return (await this.server.tmux('capture-pane', '-p', '-t', this.pane)).split('\n');
  }

  /** Waits until the screen is as it should be, and returns its rows. */
  async shows(isReady: (rows: string[]) => boolean, timeoutMs = 5000): Promise<string[]> {
    let rows: string[] = [];
    const look = async (): Promise<boolean> => {
      rows = await this.screen();
      return isReady(rows);
    };
    await until(look, timeoutMs, () => `the screen is\n${rows.join('\n')}`);
    return rows;
  }

  /** Waits until the log has such an entry, and returns all of it. */
  async logged(isIt: (entry: LogEntry) => boolean, timeoutMs = 5000): Promise<LogEntry[]> {
    await until(
      () => this.log().some(isIt),
      timeoutMs,
      () => `the log is\n${JSON.stringify(this.log(), undefined, 1)}`,
    );
    return this.log();
  }

  /** Waits until the prompt of the n-th call that is prompted for (from 1) has been painted; returns that call's id. */
  async painted(count = 1, timeoutMs = 5000): Promise<string> {
    const calls = (): string[] => this.log().flatMap((entry) => (entry.event === 'painted' ? [entry.call] : []));
    await until(
      () => calls().length >= count,
      timeoutMs,
      () => `painted so far: ${calls().length}`,
    );
    return calls()[count - 1] ?? '';
  }

  /** Presses keys by hand, by tmux's names for them, each when the one before has been received for long enough. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#send(key);
  }

  /** Types a text in one go. */
  async type(text: string): Promise<void> {
    // A semicolon at the end would end the command.
    await this.#send('-l', '--', text.replace(/;$/, '\\;'));
  }

  async #send(...what: readonly string[]): Promise<void> {
    const inputs = (): LogEntry[] => this.log().filter(({ event }) => event === 'input');
    const before = inputs();
    await delay(Math.max(0, (before.at(-1)?.atMs ?? 0) + keyGapMs - Date.now()));
    await this.server.tmux('send-keys', '-t', this.pane, ...what);
    await until(
      () => inputs().length > before.length,
      5000,
      () => `${what.join(' ')} was not received`,
    );
  }

  /** Waits until it has ended, however it did. */
  async ended(): Promise<void> {
    await until(
      async () => !(await areAlive(this.pids())),
      5000,
      () => 'it still lives',
    );
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.server.tmux('resize-window', '-t', this.pane, '-x', String(columns), '-y', String(rows));
  }
}

async function until(isSo: () => boolean | Promise<boolean>, timeoutMs: number, describe: () => string): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await isSo())) {
    await delay(lookAgainMs);
    if (performance.now() > end) throw new Error(`not within ${timeoutMs} ms: ${describe()}`);
  }
}

/** Whether any of them lives; what has ended and is not reaped yet does not. */
async function areAlive(pids: readonly number[]): Promise<boolean> {
  if (pids.length === 0) return false;
  // It fails when there is none of them.
  const { stdout } = await execute('ps', ['-o', 'stat=', '-p', pids.join(',')]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').some((state) => /^\s*[^Z\s]/.test(state));
}
