import { type Clock, neverBack } from '../../../src/base/clock.ts';
import type { Input, KeyTarget, Located, Locator, Look, TerminalLocks } from '../../../src/keys/target.ts';
import { FormModel, type ModelQuestion } from '../../unit/cursor/tui/terminalModel.ts';
import type { FakeClock } from './clock.ts';

/** What the terminal shows: a prompt for a command, the box for the reason behind it, a form, or something else. */
export type Shown =
  | { kind: 'menu'; command: string }
  | { kind: 'reason'; command: string; draft: string }
  | { kind: 'form'; form: FormModel }
  | { kind: 'idle' | 'busy' }
  /** A prompt of a version that nobody has seen. `what`: for `make deploy` when left out. */
  | { kind: 'unknown'; what?: string }
  | { kind: 'draft'; text: string };

/** What was done to a prompt: by Sallyport, or by the person. */
export interface Done {
  what: string;
  how: 'approved' | 'rejected' | 'submitted' | 'skipped';
  reason?: string;
}

/** A terminal in which an agent asks one thing after the other, as far as keys and rows go. */
export class FakeTerminal implements KeyTarget {
  readonly id: string;
  readonly title: string;
  readonly onDidChange = undefined;
  /** Keys and texts that were sent, with what was there at that moment, and what the last look saw; undefined when none came before it. */
  readonly received: { input: string; atMs: number; on: Shown['kind']; seen: Shown | undefined }[] = [];
  readonly done: Done[] = [];
  /** How many looks there were. */
  looks = 0;
  /** What a look says instead of the screen. */
  trouble: Exclude<Look, { state: 'ready' }> | undefined;
  /** How many of the next inputs do nothing. */
  drops = 0;
  /** Rejects at once, without a box for the reason. */
  asksReason = true;
  /** How long the screen takes to show what a key did, in milliseconds. */
  lagMs = 0;
  isHeld = false;
  /** Runs after each look, before what was seen is acted upon. */
  afterLook: (() => void) | undefined;
  readonly #clock: Clock;
  #shown: Shown = { kind: 'idle' };
  #before: { shown: Shown; untilMs: number } = { shown: { kind: 'idle' }, untilMs: 0 };
  #seen: Shown | undefined;
  readonly #next: Shown[] = [];

  constructor(clock: Clock, title = 'tmux %1') {
    this.#clock = neverBack(clock);
    this.title = title;
    this.id = `id of ${title}`;
  }

  get shown(): Shown {
    return this.#shown;
  }

  get keys(): string[] {
    return this.received.map(({ input }) => input);
  }

  /** Asks for these commands, one after the other. */
  ask(...commands: string[]): void {
    this.#next.push(...commands.map((command): Shown => ({ kind: 'menu', command })));
    if (this.#shown.kind !== 'menu' && this.#shown.kind !== 'reason') this.#advance();
  }

  askForm(questions: ModelQuestion[]): FormModel {
    const form = new FormModel(questions);
    this.show({ kind: 'form', form });
    return form;
  }

  show(shown: Shown): void {
    this.#before = { shown: this.#visible, untilMs: this.#clock.now() + this.lagMs };
    this.#shown = shown;
  }

  look(signal: AbortSignal): Promise<Look> {
    signal.throwIfAborted();
    this.looks += 1;
    this.#seen = this.trouble ? undefined : this.#visible;
    const look: Look = this.trouble ?? { state: 'ready', rows: rowsOf(this.#visible) };
    this.afterLook?.();
    return Promise.resolve(look);
  }

  send(input: Input, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const sent = 'key' in input ? input.key : `"${input.text}"`;
    this.received.push({ input: sent, atMs: this.#clock.now(), on: this.#shown.kind, seen: this.#seen });
    this.#seen = undefined;
    if (this.drops > 0) this.drops -= 1;
    else this.type(input);
    return Promise.resolve();
  }

  holdTyping(): { dispose(): void } {
    this.isHeld = true;
    return {
      dispose: () => {
        this.isHeld = false;
      },
    };
  }

  /** A key of Sallyport's or of the person's. */
  type(input: Input): void {
    const shown = this.#shown;
    if (shown.kind === 'form') this.#typeInForm(shown.form, input);
    else if (shown.kind === 'menu' && 'key' in input) {
      if (input.key === 'y' || input.key === 'Enter') this.#finish({ what: shown.command, how: 'approved' });
      else if (input.key === 'n' || input.key === 'Escape') this.#reject(shown.command);
    } else if (shown.kind === 'reason') {
      if ('text' in input) this.show({ ...shown, draft: shown.draft + input.text });
      else if (input.key === 'Escape') this.show({ kind: 'menu', command: shown.command });
      else if (input.key === 'Enter') this.#finish({ what: shown.command, how: 'rejected', reason: shown.draft });
    } else if (shown.kind === 'unknown' && 'key' in input && input.key === 'y') {
      this.#finish({ what: 'unknown', how: 'approved' });
    }
  }

  #typeInForm(form: FormModel, input: Input): void {
    form.receive(
      'key' in input ? { kind: 'press', key: input.key, gapMs: 0 } : { kind: 'type', text: input.text, gapMs: 0 },
    );
    if (form.submitted) this.#finish({ what: 'form', how: 'submitted' });
    if (form.skipped) this.#finish({ what: 'form', how: 'skipped' });
  }

  #reject(command: string): void {
    if (this.asksReason) this.show({ kind: 'reason', command, draft: '' });
    else this.#finish({ what: command, how: 'rejected' });
  }

  #finish(done: Done): void {
    this.done.push(done);
    this.#advance();
  }

  #advance(): void {
    this.show(this.#next.shift() ?? { kind: 'busy' });
  }

  /** What the screen shows: it lags behind what is there. A form is seen as it is. */
  get #visible(): Shown {
    return this.#clock.now() < this.#before.untilMs ? this.#before.shown : this.#shown;
  }
}

function rowsOf(shown: Shown): string[] {
  const rule = '─'.repeat(80);
  switch (shown.kind) {
    case 'menu':
      return [
        ...['  I will run it now.', '', rule, ` $  ${shown.command} in .`, '', ' Run this command?'],
        ...['  → Run (once) (y)', '    Run Everything (shift+tab)', '    Skip (esc or n)', ''],
      ];
    case 'reason':
      return [
        ...[` ┌${rule}┐`, ` │ $  ${shown.command} in .`, ` └${rule}┘`, ` ${'▄'.repeat(80)}`],
        `  → ${shown.draft === '' ? 'Tell the agent what to do instead (Enter to send, empty to skip, Esc to cancel)' : shown.draft}`,
        ` ${'▀'.repeat(80)}`,
      ];
    case 'form':
      return shown.form.rows();
    case 'busy':
      return [
        '  Working on it.',
        '',
        ` ${'▄'.repeat(80)}`,
        '  → Add a follow-up   ctrl+c to stop',
        ` ${'▀'.repeat(80)}`,
      ];
    case 'idle':
      return ['  Done.', '', ` ${'▄'.repeat(80)}`, '  → Add a follow-up', ` ${'▀'.repeat(80)}`];
    case 'draft':
      return ['  Done.', '', ` ${'▄'.repeat(80)}`, `  → ${shown.text}`, ` ${'▀'.repeat(80)}`];
    case 'unknown':
      return [`  Execute ${shown.what ?? 'make deploy'} now`, '  [y]es / [n]o / [esc]'];
  }
}

/** Finds terminals by the process id; others are out of reach. */
export class FakeLocator implements Locator {
  readonly terminals = new Map<number, FakeTerminal>();
  /** The processes that were located, in order. */
  readonly located: number[] = [];

  locate({ pid }: { pid: number }): Promise<Located> {
    this.located.push(pid);
    const target = this.terminals.get(pid);
    if (!target)
      return Promise.resolve({
        kind: 'unreachable',
        why: 'It runs elsewhere.',
        place: { kind: 'process', pids: [pid] },
      });
    return Promise.resolve({ kind: 'target', target, place: { kind: 'tmux', socket: '/tmp/s', pane: target.title } });
  }
}

/** Locks as two windows would share them. */
export class FakeLocks implements TerminalLocks {
  readonly #tails = new Map<string, Promise<void>>();
  /** Set, none can be taken: their folder cannot be written. */
  problem: string | undefined;

  async take(targetId: string): Promise<{ dispose(): void }> {
    if (this.problem !== undefined) throw new Error(this.problem);
    const before = this.#tails.get(targetId) ?? Promise.resolve();
    const own = Promise.withResolvers<undefined>();
    this.#tails.set(targetId, own.promise);
    await before;
    return { dispose: () => own.resolve(undefined) };
  }
}

/** Lets time pass, so that whatever waits for it goes on in between. */
export async function passTime(clock: FakeClock, ms: number, stepMs = 10): Promise<void> {
  await turn();
  for (let left = ms; left > 0; left -= stepMs) {
    clock.advance(Math.min(stepMs, left));
    await turn();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
