import * as vscode from 'vscode';
import type { ConsentSubject } from '../delegation/attempt.ts';
import { questionOf } from './consentText.ts';
import { isInWorkspace } from './workspaceFolders.ts';

const key = 'unsandboxedConsent';

/**
 * The person's agreement that agents may act in this workspace without a sandbox. It is kept in the editor's own state
 * for the workspace, never in a setting, so that no file of the workspace can give it.
 */
export class WorkspaceConsent {
  readonly #state: vscode.Memento;
  /** The questions that are open, by what their answer covers. */
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#publish();
  }

  /** Whether it was given for `cwd`, which must lie in a folder of the workspace. */
  given(cwd: string): boolean {
    return this.#state.get(key) === true && isInWorkspace(cwd);
  }

  /**
   * Asks once, whoever else asks meanwhile. For a folder outside the workspace the answer is not kept, and covers only what
   * it was asked for.
   */
  async ask(who: ConsentSubject, cwd: string, signal: AbortSignal): Promise<boolean> {
    const covers = isInWorkspace(cwd) ? 'workspace' : JSON.stringify([cwd, who]);
    const asking = this.#asking.get(covers) ?? this.#ask(who, cwd).finally(() => this.#asking.delete(covers));
    this.#asking.set(covers, asking);
    const allowed = await Promise.race([asking, aborted(signal)]);
    return allowed && !signal.aborted;
  }

  async withdraw(): Promise<void> {
    await this.#store(undefined);
  }

  async #ask(who: ConsentSubject, cwd: string): Promise<boolean> {
    const inWorkspace = isInWorkspace(cwd);
    const allow = inWorkspace ? vscode.l10n.t('Allow in This Workspace') : vscode.l10n.t('Allow Once');
    // The first button has the focus, and the dialog may come up while the person types: Enter must not agree.
    const deny = vscode.l10n.t('Do Not Allow');
    const { question, detail } = questionOf(who, cwd, vscode.l10n);
    const scope = vscode.l10n.t(
      'Allowing this covers every agent and every command that works without a sandbox in this workspace, until you withdraw it.',
    );
    const options = { modal: true, detail: inWorkspace ? `${detail}\n\n${scope}` : detail };
    const allowed = (await vscode.window.showWarningMessage(question, options, deny, allow)) === allow;
    if (allowed && inWorkspace) await this.#store(true);
    return allowed;
  }

  async #store(given: true | undefined): Promise<void> {
    await this.#state.update(key, given);
    this.#publish();
  }

  #publish(): void {
    void vscode.commands.executeCommand('setContext', 'sallyport.hasConsent', this.#state.get(key) === true);
  }
}

function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    else signal.addEventListener('abort', () => resolve(false), { once: true });
  });
}
