import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type SetupPageAction, setupPageActionSchema } from '../../protocol/setupPageAction.ts';
import { messageText } from '../messageText.ts';
import { fillWebview } from '../webviewPage.ts';
import { agentChecks } from './agentChecks.ts';
import { carryOut, type Check } from './check.ts';
import type { DoctorDeps } from './doctorDeps.ts';
import type { Finding } from './finding.ts';
import { machineChecks } from './machineChecks.ts';
import { ownChecks } from './ownChecks.ts';
import { isUsable, type PageInput, pageState } from './pageState.ts';
import { apply } from './remedies.ts';
import { reportText } from './reportText.ts';
import { said } from '../l10n.ts';

export interface SetupPageDeps extends DoctorDeps {
  readonly log: Logger;
  readonly extensionUri: vscode.Uri;
  readonly version: string;
  /** An agent was found that can be delegated to. */
  readonly onAgentReady: () => void;
}

/** The page of "Check Setup", a tab: its checks run side by side and show as they come. `onClosed`: the tab is gone. */
export class SetupPage implements Disposable {
  readonly #deps: SetupPageDeps;
  readonly #panel: vscode.WebviewPanel;
  readonly #owned = new DisposableStore();
  readonly #checks: readonly Check[];
  readonly #findings = new Map<string, Finding>();
  /** The look at each check that is not over. What an earlier one finds is no news. */
  readonly #pending = new Map<string, object>();
  /** Terminals in which a remedy of a row was typed. */
  readonly #terminals = new Map<vscode.Terminal, string>();
  #isReady = false;
  #done: string | undefined;

  constructor(deps: SetupPageDeps, onClosed: () => void) {
    this.#deps = deps;
    const { l10n } = vscode;
    this.#checks = [...agentChecks(deps, l10n), ...machineChecks(deps, l10n), ...ownChecks(deps, l10n)];
    const title = l10n.t('Sallyport Setup');
    this.#panel = vscode.window.createWebviewPanel('sallyport.setup', title, vscode.ViewColumn.Active);
    this.#panel.iconPath = vscode.Uri.joinPath(deps.extensionUri, 'media', 'icon.png');
    this.#panel.onDidDispose(() => {
      this.dispose();
      onClosed();
    });
    // A hidden page is thrown away; the next one says that it is ready.
    this.#panel.onDidChangeViewState(() => {
      if (!this.#panel.visible) this.#isReady = false;
    });
    this.#panel.webview.onDidReceiveMessage((message: unknown) => this.#hear(message));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.checkAll()));
    this.#owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('sallyport') || event.affectsConfiguration('chat.mcp')) this.checkAll();
      }),
    );
    this.#owned.add(vscode.window.onDidEndTerminalShellExecution(({ terminal }) => this.#commandEnded(terminal)));
    this.#owned.add(vscode.window.onDidCloseTerminal((terminal) => this.#commandEnded(terminal)));
    fillWebview(this.#panel.webview, { extensionUri: deps.extensionUri, bundle: 'setupPage', title });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#owned.dispose();
    this.#panel.dispose();
  }

  /** Looks at everything anew. */
  checkAll(): void {
    this.#lookAt(this.#checks);
  }

  #lookAt(checks: readonly Check[]): void {
    // What the person has installed meanwhile is found.
    if (vscode.workspace.isTrusted) this.#deps.room.finder.refresh();
    for (const check of checks) void this.#carryOut(check);
    this.#refresh();
  }

  #lookAtRow(id: string): void {
    this.#lookAt(this.#checks.filter((check) => check.id === id));
  }

  async #carryOut(check: Check): Promise<void> {
    const look = {};
    this.#pending.set(check.id, look);
    const { isTrusted } = vscode.workspace;
    const finding = await carryOut(check, { clock: this.#deps.clock, l10n: vscode.l10n, isTrusted });
    if (this.#pending.get(check.id) !== look) return;
    this.#pending.delete(check.id);
    this.#findings.set(check.id, finding);
    if (check.group === 'agents' && isUsable(finding)) this.#deps.onAgentReady();
    this.#refresh();
  }

  /** What was typed there has been run, or will not be. */
  #commandEnded(terminal: vscode.Terminal): void {
    const id = this.#terminals.get(terminal);
    if (id !== undefined) this.#lookAtRow(id);
  }

  async #hear(message: unknown): Promise<void> {
    const action = setupPageActionSchema.safeParse(message);
    if (!action.success) {
      this.#deps.log.warn(`a message of the setup page was ignored: ${action.error.issues[0]?.message ?? ''}`);
      return;
    }
    this.#done = undefined;
    try {
      await this.#act(action.data);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#deps.log.error(`${action.data.type}: ${why}`);
      this.#done = vscode.l10n.t('Sallyport could not do that: {0}', messageText(said(why, vscode.l10n)));
    }
    this.#refresh();
  }

  async #act(action: SetupPageAction): Promise<void> {
    switch (action.type) {
      case 'ready':
        this.#isReady = true;
        return;
      case 'again':
        this.checkAll();
        return;
      case 'checkRow':
        this.#lookAtRow(action.id);
        return;
      case 'press': {
        const remedy = this.#findings.get(action.id)?.remedies[action.button];
        const terminal = remedy && (await apply(remedy));
        if (terminal) this.#terminals.set(terminal, action.id);
        return;
      }
      case 'notice':
        await vscode.commands.executeCommand('workbench.trust.manage');
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(reportText(this.#input, homedir(), vscode.l10n));
        this.#done = vscode.l10n.t('Copied.');
    }
  }

  get #input(): PageInput {
    return {
      checks: this.#checks,
      findings: this.#findings,
      pending: new Set(this.#pending.keys()),
      about: this.#about,
      isTrusted: vscode.workspace.isTrusted,
      done: this.#done,
    };
  }

  /** In a remote window the extension, and with it every agent, runs on the remote machine. */
  get #about(): string {
    const { remoteName, appName } = vscode.env;
    const editor = `Sallyport ${this.#deps.version} · ${appName} ${vscode.version} · ${process.platform}-${process.arch}`;
    return remoteName === undefined
      ? editor
      : vscode.l10n.t('{0} · checked on the remote machine ({1})', editor, remoteName);
  }

  #refresh(): void {
    if (this.#isReady) void this.#panel.webview.postMessage(pageState(this.#input, vscode.l10n));
  }
}
