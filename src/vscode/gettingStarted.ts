import * as vscode from 'vscode';

/** The steps of the walkthrough, by the context key (behind `sallyport.did.`) that ticks each. */
export type GettingStartedStep = 'checkSetup' | 'finishRun' | 'seeSession' | 'useFromChat';

const storageKey = 'gettingStarted';

/** What the person has really done once, in any window. The editor learns of it by context keys. */
export class GettingStarted {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** Tells the editor of what was done in earlier windows. */
  restore(): void {
    for (const step of this.#steps) tick(step);
  }

  /** Cheap to call again and again. */
  did(step: GettingStartedStep): void {
    if (this.#steps.includes(step)) return;
    void this.#memory.update(storageKey, [...this.#steps, step]);
    tick(step);
  }

  get #steps(): readonly string[] {
    return this.#memory.get<readonly string[]>(storageKey, []);
  }
}

function tick(step: string): void {
  void vscode.commands.executeCommand('setContext', `sallyport.did.${step}`, true);
}
