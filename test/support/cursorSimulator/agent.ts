import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CallRunner } from './callRunner.ts';
import type { Log } from './log.ts';
import { type Batch, type Interrupt, planCall, type PlannedCall, type Scenario } from './scenario.ts';
import { SimulatedChat } from './simulatedChat.ts';
import type { Ui } from './ui.ts';

/** How long a call is gone that comes back. */
const flickerMs = 120;

/** What an agent needs to know of its surroundings. */
export interface AgentOptions {
  scenario: Scenario;
  /** Cursor's configuration folder. */
  root: string;
  cwd: string;
  /** Nothing is asked, by the command line. */
  force: boolean;
  /** The chat to go on with. */
  resume: string | undefined;
  log: Log;
}

/** The agent itself: its chats, and the calls it makes in them. */
export class Agent {
  readonly #options: AgentOptions;
  readonly #runner: CallRunner;
  readonly #open: SimulatedChat[] = [];
  #chat: SimulatedChat | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
    const { root, cwd, log } = options;
    this.#runner = new CallRunner({
      ...{ root, cwd, log },
      runsEverything: () => this.runsEverything,
      switchRunEverythingOn: () => this.toggleRunEverything(),
    });
    // The folder of a new chat appears with its first message.
    if (options.resume !== undefined) this.#chat = this.#openChat({ id: options.resume });
  }

  /** Calls that wait or run, for the screen. */
  get activity(): string[] {
    return this.#runner.activity();
  }

  get runsEverything(): boolean {
    return this.#options.force || (this.#chat?.runsEverything ?? this.#options.scenario.runEverything);
  }

  /** The chat that messages go to; it begins with a message of the person. */
  chat(firstMessage = 'Go on, please.'): SimulatedChat {
    this.#chat ??= this.#openChat({});
    if (this.#chat.isEmpty) this.#chat.addUser(firstMessage);
    return this.#chat;
  }

  /** A message of the person. */
  hear(text: string): void {
    if (this.#chat && !this.#chat.isEmpty) this.#chat.addUser(text);
    else this.chat(text);
  }

  toggleRunEverything(): void {
    const chat = this.chat();
    chat.runsEverything = !chat.runsEverything;
    this.#options.log({ event: 'runEverything', what: String(chat.runsEverything) });
  }

  /** What follows belongs to a new chat. */
  clear(keepOpen: boolean): void {
    if (!keepOpen && this.#chat) {
      this.#open.splice(this.#open.indexOf(this.#chat), 1);
      this.#chat.close();
    }
    this.#chat = undefined;
  }

  /** Makes calls, and returns when the last one has finished. Rejects when aborted. */
  async batch(ui: Ui, batch: Batch, signal: AbortSignal): Promise<void> {
    await this.#batchIn(this.chat(), ui, batch, signal);
  }

  /** Has a sub-agent make calls, in a chat of its own; that it works is a call of this one. */
  async delegate(ui: Ui, typeName: string, batch: Batch, signal: AbortSignal): Promise<void> {
    const parent = this.chat();
    const args = { subagent_type: typeName, description: `Work for ${typeName}`, prompt: 'Do it.' };
    const task = this.#plan([{ toolName: 'Task', args, argsName: 'args', autoRun: true, outsideSandbox: false }]);
    parent.begin(task, 'known');
    const child = this.#openChat({
      subagentInfo: {
        parentAgentId: parent.id,
        rootParentAgentId: parent.id,
        toolCallId: task[0]?.id ?? '',
        typeName,
      },
    });
    child.addUser('Do it.');
    try {
      await this.#batchIn(child, ui, batch, signal);
    } finally {
      parent.finish(task, ['Done.']);
    }
  }

  /** Leaves everything as a clean exit does. */
  close(): void {
    this.#runner.stop();
    for (const chat of this.#open.splice(0)) chat.close();
  }

  /** Ends the process with everything left as it is. Logged before. */
  crash(how: 'exit' | 'kill'): never {
    this.#runner.stop();
    this.#options.log({ event: 'exit', why: how });
    if (how === 'exit') process.exit(1);
    process.kill(process.pid, 'SIGKILL');
    throw new Error('still there');
  }

  #openChat(options: { id?: string; subagentInfo?: Record<string, string> }): SimulatedChat {
    const { root, cwd, scenario, log } = this.#options;
    const chat = new SimulatedChat({ root, cwd, scenario, title: scenario.title, ...options });
    this.#open.push(chat);
    log({ event: 'chat', id: chat.id, folder: chat.folder });
    return chat;
  }

  #plan(calls: Batch['calls']): PlannedCall[] {
    const newId = (): string => `call-${randomUUID()}-0\nfc_${randomUUID()}_0`;
    return calls.map((call) => planCall(call, this.#options.scenario.defaults, newId()));
  }

  async #batchIn(chat: SimulatedChat, ui: Ui, batch: Batch, signal: AbortSignal): Promise<void> {
    const { calls, layout, interrupt } = batch;
    const { log } = this.#options;
    const planned = this.#plan(calls);
    const ids = planned.map(({ id }) => id);
    const makePending = (): void => {
      chat.begin(planned, layout);
      log({ event: 'pending', chat: chat.id, calls: ids });
    };
    makePending();
    const cut = new AbortController();
    const either = AbortSignal.any([signal, cut.signal]);
    const strikes: Strikes = {
      crash: () => this.crash('exit'),
      kill: () => this.crash('kill'),
      withdraw: () => cut.abort(),
      replace: () => cut.abort(),
      runEverything: () => {
        this.toggleRunEverything();
        ui.decide({ did: 'approved', decision: { kind: 'approved', by: 'runEverything' } });
      },
      recommit: makePending,
      flicker: () => {
        chat.withdraw();
        log({ event: 'withdrawn', calls: ids });
        void delay(flickerMs, undefined, { signal: either }).then(makePending, () => undefined);
      },
    };
    const arm = whenArmed(interrupt, strikes, either);
    if (interrupt?.from === 'pending') arm();
    try {
      const results: Promise<string>[] = [];
      for (const call of planned) {
        const { result } = await this.#runner.begin(call, { ui, signal: either, asks: arm });
        results.push(result);
      }
      const texts = await Promise.all(results);
      either.throwIfAborted();
      chat.finish(planned, texts);
      log({ event: 'finished', calls: ids });
    } catch (error) {
      if (!either.aborted) throw error;
      if (!cut.signal.aborted) chat.finish(planned, Array<string>(ids.length).fill('Aborted by the user'));
      else if (interrupt?.by !== 'replace') chat.withdraw();
      log({ event: 'withdrawn', calls: ids });
      signal.throwIfAborted();
      if (interrupt?.by === 'replace') await this.#batchIn(chat, ui, { calls: interrupt.calls, layout }, signal);
    }
  }
}

/** What each kind of interruption does. */
type Strikes = Record<Interrupt['by'], () => void>;

/** Returns what starts the clock of an interruption; once is enough. */
function whenArmed(interrupt: Interrupt | undefined, strikes: Strikes, over: AbortSignal): () => void {
  let isArmed = interrupt === undefined;
  return () => {
    if (isArmed || !interrupt) return;
    isArmed = true;
    void delay(interrupt.afterMs, undefined, { signal: over }).then(strikes[interrupt.by], () => undefined);
  };
}
