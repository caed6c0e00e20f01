import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { hangUpTree, type TreeSight } from '../process/hangUpTree.ts';
import { exitsWithin } from '../process/killTree.ts';
import type { ProcessStates } from '../process/processStates.ts';
import type { Key } from '../protocol/key.ts';
import { lookOfAgent } from './agentLook.ts';
import { assertLiteral } from './literalText.ts';
import type { OwnedTerminal } from './owned.ts';
import { type Pty, type PtyEnd, type PtyProgram, startPty, type TerminalSize } from './pty.ts';
import { PtyScreen } from './ptyScreen.ts';
import type { Input, KeyTarget, Look } from './target.ts';

/** A byte that follows an Escape sooner would make it Alt and that key. */
const escapeGapMs = 150;
/** Output comes in many small pieces; whoever looks at the screen is told this often at most. */
const changeMs = 20;
/** How long a console on Windows may take to end. Its last output is waited for, a second each time. */
const closeMs = 5000;
/** UTF-16 units of output that are not drawn yet, above which the program has to wait, and below which it goes on. */
const backlog = { pause: 256 * 1024, resume: 64 * 1024 };

/** What each key is in bytes (xterm, "PC-Style Function Keys"). */
const keyBytes: Readonly<Record<Key, string>> = {
  y: 'y',
  n: 'n',
  Escape: '\x1b',
  Enter: '\r',
  Space: ' ',
  Up: '\x1b[A',
  Down: '\x1b[B',
};
const applicationArrows: Readonly<Partial<Record<Key, string>>> = { Up: '\x1bOA', Down: '\x1bOB' };

export interface PtyTerminalOptions {
  program: PtyProgram;
  /** For people: `Sallyport: greeter 2`. */
  title: string;
  clock: Clock;
  states: Pick<ProcessStates, 'of'>;
}

/** Starts a program in a terminal that Sallyport keeps. Rejects with PtyUnavailable where there can be none. */
export async function openPtyTerminal(options: PtyTerminalOptions): Promise<PtyTerminal> {
  return new PtyTerminal(await startPty(options.program), options);
}

/**
 * A program in a terminal of ours. A person types into it by `type`, answers are sent into it through `target`. It ends when
 * its program does: whoever owns it ends that.
 */
export class PtyTerminal implements OwnedTerminal {
  readonly id = `pty-${process.pid}-${randomUUID()}`;
  readonly target: KeyTarget;

  readonly #pty: Pty;
  readonly #screen: PtyScreen;
  readonly #clock: Clock;
  readonly #states: PtyTerminalOptions['states'];
  readonly #output = new Emitter<string>();
  readonly #change = new Emitter<undefined>();
  readonly #end = new Emitter<PtyEnd>();
  readonly onDidOutput = this.#output.event;
  readonly onDidEnd = this.#end.event;

  #ended: PtyEnd | undefined;
  /** Token of ProcessState. */
  #startedAt: string | undefined;
  #undrawn = 0;
  #paused = false;
  #announcement: Disposable | undefined;
  #holds = 0;
  #held = '';
  #escapeAt = -Infinity;

  constructor(pty: Pty, { program, title, clock, states }: PtyTerminalOptions) {
    this.#pty = pty;
    this.#clock = clock;
    this.#states = states;
    this.#screen = new PtyScreen(program.size);
    this.target = {
      id: this.id,
      title,
      onDidChange: (listener) => this.#change.event(() => listener()),
      look: (signal) => this.#look(signal),
      send: (input, signal) => this.#send(input, signal),
      holdTyping: () => this.#holdTyping(),
    };
    pty.onData((data) => this.#draw(data));
    pty.onExit((end) => this.#finish(end));
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Ends the program and what it started, as closing a terminal does. Resolves when nothing is left. Never rejects. */
  async hangUp(sight: TreeSight): Promise<void> {
    if (!this.#pty.close) await hangUpTree(this.pid, sight);
    else if (!this.#ended) {
      const ended = new Promise<void>((resolve) => this.onDidEnd(() => resolve()));
      this.#pty.close();
      await exitsWithin(ended, this.#clock, closeMs);
    }
  }

  /** What the person types, or their terminal answers to a query. Waits while an answer is being delivered. */
  type(data: string): void {
    if (this.#holds > 0 || this.#held !== '') this.#held += data;
    else this.#write(data);
  }

  resize(size: TerminalSize): void {
    if (this.#ended || size.columns < 1 || size.rows < 1) return;
    this.#pty.resize(size);
    this.#screen.resize(size);
    this.#announce();
  }

  #draw(data: string): void {
    this.#undrawn += data.length;
    if (!this.#paused && this.#undrawn > backlog.pause) {
      this.#paused = true;
      this.#pty.pause();
    }
    this.#screen.write(data, () => this.#drawn(data.length));
    this.#output.fire(data);
  }

  #drawn(length: number): void {
    this.#undrawn -= length;
    if (this.#paused && this.#undrawn < backlog.resume) {
      this.#paused = false;
      this.#pty.resume();
    }
    this.#announce();
  }

  #announce(): void {
    this.#announcement ??= this.#clock.after(changeMs, () => {
      this.#announcement = undefined;
      this.#change.fire(undefined);
    });
  }

  #finish(end: PtyEnd): void {
    this.#ended = end;
    this.#held = '';
    this.#end.fire(end);
    this.#announce();
  }

  async #look(signal: AbortSignal): Promise<Look> {
    signal.throwIfAborted();
    const state = this.#pty.close ? 'unknown' : await this.#states.of(this.pid);
    const rows = await this.#screen.rows();
    signal.throwIfAborted();
    if (this.#ended || state === 'ended') return { state: 'gone', why: 'The program in this terminal has ended.' };
    // A console has no foreground: whichever of its programs reads takes the key.
    if (this.#pty.close) return { state: 'held', rows, why: 'On Windows it cannot be told who would get a key.' };
    if (typeof state === 'object') this.#startedAt ??= state.startedAt;
    return lookOfAgent({ state: 'ready', rows }, { pid: this.pid, startedAt: this.#startedAt ?? '' }, state);
  }

  async #send(input: Input, signal: AbortSignal): Promise<void> {
    const bytes = 'key' in input ? this.#bytesOf(input.key) : literal(input.text);
    await this.#escapeGap(signal);
    signal.throwIfAborted();
    if (this.#ended) throw new Error('The program in this terminal has ended.');
    this.#write(bytes);
  }

  #bytesOf(key: Key): string {
    return (this.#screen.sendsApplicationArrows ? applicationArrows[key] : undefined) ?? keyBytes[key];
  }

  #holdTyping(): Disposable {
    this.#holds += 1;
    return toDisposable(() => {
      this.#holds -= 1;
      void this.#release();
    });
  }

  async #release(): Promise<void> {
    await this.#escapeGap();
    if (this.#holds > 0) return;
    const held = this.#held;
    this.#held = '';
    this.#write(held);
  }

  /** Waits until nothing that is written now would be taken for the rest of an Escape. */
  async #escapeGap(signal?: AbortSignal): Promise<void> {
    // No longer than this, though the clock was set back.
    const left = Math.min(escapeGapMs, this.#escapeAt + escapeGapMs - this.#clock.now());
    if (left > 0) await elapsed(this.#clock, left, signal);
  }

  #write(data: string): void {
    if (this.#ended || data === '') return;
    if (data.endsWith('\x1b')) this.#escapeAt = this.#clock.now();
    this.#pty.write(data);
  }
}

/** Throws for a text that would press keys. */
function literal(text: string): string {
  assertLiteral(text);
  return text;
}

/** Rejects when aborted. */
function elapsed(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      timer.dispose();
      reject(signal?.reason instanceof Error ? signal.reason : new Error('Cancelled.'));
    };
    const timer = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
