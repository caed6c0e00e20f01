import { setTimeout as delay } from 'node:timers/promises';
import { addAllowRule } from './allowlist.ts';
import { ApprovalDialog } from './approvalDialog.ts';
import { Commands } from './commands.ts';
import { FormDialog } from './formDialog.ts';
import type { Decision, Log } from './log.ts';
import { promptText } from './promptText.ts';
import type { PlannedCall } from './scenario.ts';
import type { Ui } from './ui.ts';

/** What the runner of calls asks of the agent. */
export interface CallRunnerOptions {
  root: string;
  cwd: string;
  log: Log;
  /** Whether nothing is asked now. */
  runsEverything: () => boolean;
  switchRunEverythingOn: () => void;
}

/** How one call is made. */
export interface Making {
  ui: Ui;
  signal: AbortSignal;
  /** Told when a prompt is about to be painted. */
  asks: () => void;
}

/** Asks about calls and runs them. */
export class CallRunner {
  readonly #options: CallRunnerOptions;
  readonly #commands = new Commands();
  /** What waits or runs, oldest first; what runs has a time. */
  readonly #lines = new Set<{ text: string; sinceMs: number | undefined }>();

  constructor(options: CallRunnerOptions) {
    this.#options = options;
  }

  /** What waits or runs, for the screen. */
  activity(): string[] {
    const now = performance.now();
    return [...this.#lines].map(({ text, sinceMs }) =>
      sinceMs === undefined ? text : `${text} ${Math.floor((now - sinceMs) / 1000)}s`,
    );
  }

  /**
   * Asks where it must, and starts the call. Its result comes later, and never fails: the next call does not wait for it.
   * Rejects when aborted while it asks.
   */
  async begin(call: PlannedCall, making: Making): Promise<{ result: Promise<string> }> {
    const isForm = call.toolName === 'AskQuestion';
    const text = promptText(call, this.#options.cwd);
    const name = isForm ? 'AskQuestion Clarifying Questions' : (text.activity.split('\n')[0] ?? '');
    const runs = (): boolean => !isForm && this.#options.runsEverything();
    if (call.autoRun || runs()) return { result: this.#run(call, name, making) };
    await delay(call.leadMs, undefined, { signal: making.signal });
    // It may have been switched on meanwhile.
    if (runs()) return { result: this.#run(call, name, making) };
    const line = { text: isForm ? name : `${name} Waiting for approval...`, sinceMs: undefined };
    this.#lines.add(line);
    making.asks();
    try {
      const dialog = isForm ? new FormDialog(call) : new ApprovalDialog(call, text);
      const { decision, also } = await making.ui.ask(dialog, call.id, making.signal);
      if (also === 'everything') this.#options.switchRunEverythingOn();
      if (also === 'allow' && text.rule !== undefined) this.#allow(text.rule);
      if (decision?.kind === 'approved') return { result: this.#run(call, name, making) };
      const result = resultOf(decision);
      making.ui.print(`  ${name} — ${result}`);
      return { result: Promise.resolve(result) };
    } finally {
      this.#lines.delete(line);
      making.ui.draw();
    }
  }

  /** Ends what runs. */
  stop(): void {
    this.#commands.stop();
  }

  #allow(rule: string): void {
    addAllowRule(this.#options.root, rule);
    this.#options.log({ event: 'allowlisted', what: rule });
  }

  async #run(call: PlannedCall, name: string, { ui, signal }: Making): Promise<string> {
    const line = { text: name, sinceMs: performance.now() };
    this.#lines.add(line);
    ui.draw();
    const result = await this.#commands.run(call.runMs, signal);
    this.#lines.delete(line);
    ui.print(`  ${name} ${call.runMs / 1000}s`);
    return result;
  }
}

function resultOf(decision: Decision | undefined): string {
  if (decision?.kind === 'answered') return `Answers: ${JSON.stringify(decision.answers)}`;
  if (decision?.kind === 'skipped') return 'Questions skipped by the user';
  const reason = decision?.kind === 'rejected' ? (decision.reason ?? '') : '';
  return reason === '' ? 'Rejected by the user' : `Rejected by the user: ${reason}`;
}
