import { composerRows, statusRows, typed } from './composer.ts';
import type { Dialog, Effect } from './dialog.ts';
import { KeyReader, type Received } from './keys.ts';
import { type Log, nowMs, type Understood } from './log.ts';
import { Terminal } from './terminal.ts';

const spinnerMs = 120;
const spinner = ['⠰⠰', '⠆⠆', '⠃⠃', '⠉⠉', '⠘⠘', '⠒⠒'];

/** What the screen shows beside transcript and prompt. */
export interface Surroundings {
  /** Calls that wait or run, as the transcript will name them. */
  activity: readonly string[];
  busy: boolean;
  folder: string;
  runsEverything: boolean;
}

/** What the person does outside of a prompt. */
export interface Wishes {
  submit(text: string): void;
  stop(): void;
  quit(): void;
}

/** The screen and the keys: whatever waits for keys gets them, the composer otherwise. Every byte is logged. */
export class Ui {
  readonly #terminal: Terminal;
  readonly #log: Log;
  readonly #around: () => Surroundings;
  readonly #wishes: Wishes;
  readonly #spinner: NodeJS.Timeout;
  #dialog: { dialog: Dialog; call: string | undefined; decided: (effect: Effect) => void } | undefined;
  #draft = '';
  #turn = 0;
  #pressed: (() => void) | undefined;

  constructor(log: Log, around: () => Surroundings, wishes: Wishes) {
    this.#log = log;
    this.#around = around;
    this.#wishes = wishes;
    const keys = new KeyReader(
      () => this.#dialog?.dialog.isTyping ?? true,
      (received) => this.#receive(received),
    );
    this.#terminal = new Terminal(
      process.stdin,
      process.stdout,
      (width) => this.#rows(width),
      (chunk) => keys.push(chunk, nowMs()),
    );
    this.#spinner = setInterval(() => this.#spin(), spinnerMs);
    this.draw();
  }

  /** Adds to the transcript. */
  print(...rows: string[]): void {
    this.#terminal.draw(rows);
  }

  draw(): void {
    this.#terminal.draw();
  }

  clear(): void {
    this.#terminal.clear();
  }

  /** Shows a prompt until it is decided. Rejects when aborted; the prompt is gone then. */
  async ask(dialog: Dialog, call: string | undefined, signal: AbortSignal): Promise<Effect> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Effect>();
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    this.#dialog = { dialog, call, decided: resolve };
    this.#terminal.draw([], () => call !== undefined && this.#log({ event: 'painted', call }));
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#dialog = undefined;
      this.draw();
    }
  }

  /** Answers what is asked now without a key. */
  decide(effect: Effect): void {
    this.#dialog?.decided(effect);
  }

  /** Resolves when the next key arrives. */
  keyPressed(): Promise<void> {
    return new Promise((resolve) => (this.#pressed = resolve));
  }

  restore(): void {
    clearInterval(this.#spinner);
    this.#terminal.restore();
  }

  #receive({ atMs, hex, inputs }: Received): void {
    // A decision may lead to more log entries; what was received comes first.
    const effects: Effect[] = [];
    const waiting = this.#dialog;
    const understood = inputs.map(({ input, heeded }) => {
      if (!heeded) return { input, dropped: true, did: 'nothing' };
      const isStop = 'key' in input && input.key === 'Ctrl+C' && waiting?.dialog.takesStop !== true;
      const effect = waiting && !isStop ? waiting.dialog.receive(input) : { did: this.#compose(input) };
      effects.push(effect);
      return { input, dropped: false, did: effect.did };
    });
    this.#log({ event: 'input', hex, understood }, atMs);
    this.#pressed?.();
    const decisive = effects.find(({ decision }) => decision);
    if (waiting && decisive?.decision) {
      if (waiting.call !== undefined) this.#log({ event: 'decided', call: waiting.call, decision: decisive.decision });
      waiting.decided(decisive);
    }
    this.draw();
  }

  #compose(input: Understood): string {
    const draft = typed(this.#draft, input);
    if (draft !== undefined) {
      this.#draft = draft;
      return 'typed into the composer';
    }
    const key = 'key' in input ? input.key : '';
    const { busy } = this.#around();
    if (key === 'Enter' && this.#draft.trim() !== '') {
      const text = this.#draft;
      this.#draft = '';
      setImmediate(() => this.#wishes.submit(text));
      return 'submitted the message';
    }
    if (key === 'Ctrl+C' && busy) {
      this.#wishes.stop();
      return 'stopped the turn';
    }
    if (key === 'Ctrl+C' || key === 'Ctrl+D') {
      setImmediate(() => this.#wishes.quit());
      return 'quit';
    }
    return 'nothing';
  }

  #spin(): void {
    const { busy, activity } = this.#around();
    // Behind a prompt only the seconds move.
    if (!busy || (this.#dialog && activity.length < 2)) return;
    if (!this.#dialog) this.#turn++;
    this.draw();
  }

  #rows(width: number): string[] {
    const around = this.#around();
    const activity = around.activity.map((text) => `  ${text.split('\n')[0] ?? ''}`);
    if (this.#dialog) return [...activity, '', ...this.#dialog.dialog.rows(width)];
    const isNew = !around.busy && this.#turn === 0;
    const working = around.busy
      ? [` ${spinner[this.#turn % spinner.length] ?? ''} Working  ${2 + this.#turn} tokens`]
      : [];
    const composer = {
      placeholder: isNew ? 'Plan, search, build anything' : 'Add a follow-up',
      draft: this.#draft,
      hint: around.busy ? 'ctrl+c to stop' : '',
    };
    return [...activity, '', ...working, ...composerRows(composer, width), ...statusRows(around, width)];
  }
}
