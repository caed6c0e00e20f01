import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { TerminalSize } from '../../keys/pty.ts';
import type { PtyTerminal } from '../../keys/ptyTerminal.ts';

/** Used until the editor says how large the terminal is, which it does when it is first seen. */
const defaultSize: TerminalSize = { columns: 80, rows: 24 };

export interface AgentPseudoterminalOptions {
  /** Starts the program. Rejects with what to tell the person. */
  start(size: TerminalSize): Promise<PtyTerminal>;
  /** The person closed the terminal, or the window ends, while the program lives. */
  hangUp(terminal: PtyTerminal): void;
}

/**
 * What the editor shows of a terminal of ours. When the program ended badly, its last words stay until a key is pressed.
 */
export class AgentPseudoterminal implements vscode.Pseudoterminal {
  readonly #options: AgentPseudoterminalOptions;
  readonly #write = new vscode.EventEmitter<string>();
  readonly #close = new vscode.EventEmitter<undefined>();
  readonly #subscriptions = new DisposableStore();
  readonly onDidWrite = this.#write.event;
  readonly onDidClose = (listener: (code: undefined) => unknown) => this.#close.event(listener);

  #size = defaultSize;
  #terminal: PtyTerminal | undefined;
  #state: 'starting' | 'running' | 'ended' | 'closed' = 'starting';

  constructor(options: AgentPseudoterminalOptions) {
    this.#options = options;
  }

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    if (dimensions) this.setDimensions(dimensions);
    void this.#start(this.#size);
  }

  setDimensions({ columns, rows }: vscode.TerminalDimensions): void {
    this.#size = { columns: Math.max(2, columns), rows: Math.max(2, rows) };
    this.#terminal?.resize(this.#size);
  }

  handleInput(data: string): void {
    if (this.#state === 'ended') this.#close.fire(undefined);
    else this.#terminal?.type(data);
  }

  close(): void {
    if (this.#state === 'running' && this.#terminal) this.#options.hangUp(this.#terminal);
    this.#state = 'closed';
    this.#subscriptions.dispose();
  }

  async #start(size: TerminalSize): Promise<void> {
    try {
      const terminal = await this.#options.start(size);
      if (this.#isClosed()) {
        this.#options.hangUp(terminal);
        return;
      }
      this.#state = 'running';
      this.#terminal = terminal;
      if (size !== this.#size) terminal.resize(this.#size);
      this.#subscriptions.add(terminal.onDidOutput((data) => this.#write.fire(data)));
      this.#subscriptions.add(
        terminal.onDidEnd(({ exitCode, signal }) => {
          if (exitCode === 0 && !signal) this.#close.fire(undefined);
          else this.#endWith(vscode.l10n.t('The agent ended with exit code {0}.', exitCode));
        }),
      );
    } catch (error) {
      this.#endWith(error instanceof Error ? error.message : String(error));
    }
  }

  /** What was awaited may have closed it. */
  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #endWith(words: string): void {
    if (this.#isClosed()) return;
    this.#state = 'ended';
    this.#write.fire(
      `\r\n${words.replace(/[^\P{Cc}]/gu, ' ')}\r\n${vscode.l10n.t('Press any key to close this terminal.')}\r\n`,
    );
  }
}
