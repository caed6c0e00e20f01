import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { ViewMessage } from '../../protocol/panel.ts';
import { type PanelAction, panelActionSchema } from '../../protocol/panelAction.ts';
import type { AnswerRecord, PendingRequest } from '../../protocol/request.ts';
import type { RequestBroker } from '../../requests/broker.ts';
import type { AnswerReceipt, GivenAnswer } from '../../requests/source.ts';
import type { Queue } from '../answerNext/answerNext.ts';
import { messageText } from '../messageText.ts';
import { attentionText } from './attentionTexts.ts';
import { needsAnswer } from './cardModel.ts';
import { openClaims } from './claims.ts';
import { WindowMemory } from './windowMemory.ts';
import { Notifications } from './notifications.ts';
import { RequestDiffs } from './requestDiff.ts';
import type { Snooze } from './snooze.ts';
import { StatusItem } from './statusItem.ts';
import { tellWhatCame, wantsToSee } from './toasts.ts';
import { viewState, type ViewInput } from './viewState.ts';
import { said } from '../l10n.ts';

/** What the desk works with. */
export interface DeskDeps {
  log: Logger;
  clock: Clock;
  /** Everything that waits. Asked for once this window may look at sessions: not in Restricted Mode. */
  broker(): Promise<RequestBroker>;
  showTerminal(requestId: string): Promise<void>;
  reopen(requestId: string): Promise<void>;
  /** Whether Cursor's agent is there, or sessions of it are, wherever it lies. Starts no agent. */
  hasAgent(): Promise<boolean>;
  /** Quiet for a while; the desk opens and ends it. */
  snooze: Snooze;
  /** Whether the person wants notifications. */
  wantsNotifications(): boolean;
  /** Absolute path of the folder that windows share to notify once. */
  notifiedFolder: string;
  /** Shows the number where the view cannot: the editor makes it with its first look. */
  showBadge(badge: vscode.ViewBadge | undefined): void;
}

/** What each command of the view is called in the editor. */
const commands = {
  startAgent: 'sallyport.startCursorAgent',
  manageTrust: 'workbench.trust.manage',
  showLog: 'sallyport.showLog',
  checkSetup: 'sallyport.checkSetup',
} as const;

/** Opens the desk. It watches from `start` on. */
export function openDesk(deps: DeskDeps): Desk {
  return new Desk(deps);
}

/** Between the requests and the person: the view, its badge, the status bar and the notifications. */
export class Desk implements Disposable, Queue {
  readonly #deps: DeskDeps;
  readonly #owned = new DisposableStore();
  readonly #memory = new WindowMemory();
  readonly #status = this.#owned.add(new StatusItem());
  readonly #diffs = this.#owned.add(new RequestDiffs());
  readonly #changes = this.#owned.add(new Emitter<void>());
  readonly #claim: ReturnType<typeof openClaims>;
  readonly #notifications: Notifications;
  /** What waits, or how it fares, may be different. */
  readonly onDidChange = this.#changes.event;
  #broker: RequestBroker | undefined;
  #condition: ViewInput['condition'] = { kind: 'watching' };
  #notice: string | undefined;
  #view: vscode.WebviewView | undefined;
  #isReady = false;
  #isSnoozed = false;
  #toReveal: string | undefined;
  #starting: Promise<void> | undefined;

  constructor(deps: DeskDeps) {
    this.#deps = deps;
    this.#claim = openClaims({ folder: deps.notifiedFolder, now: () => deps.clock.now(), log: deps.log });
    this.#owned.add(deps.snooze);
    this.#owned.add(deps.snooze.onDidChange(() => this.#refresh()));
    this.#owned.add(deps.snooze.onDidRunOut((atMs) => void this.#tellWhatCame(atMs)));
    this.#notifications = this.#owned.add(
      new Notifications({
        clock: deps.clock,
        claim: this.#claim,
        attention: () => this.#attention,
        wanted: () => deps.wantsNotifications() && deps.snooze.untilMs === undefined,
        show: (request) => void this.#notify(request),
      }),
    );
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.start()));
  }

  /** Begins to watch; in Restricted Mode, as soon as that ends. Never rejects. */
  async start(): Promise<void> {
    this.#starting ??= this.#begin();
    await this.#starting;
  }

  /** Takes over the view that the editor has made. */
  attach(view: vscode.WebviewView): void {
    this.#view = view;
    this.#isReady = false;
    // A hidden page is thrown away; the next one says that it is ready.
    view.onDidChangeVisibility(() => {
      if (!view.visible) this.#isReady = false;
    });
    view.onDidDispose(() => {
      if (this.#view === view) this.#view = undefined;
    });
    this.#refresh();
  }

  /** What the view says. */
  async hear(message: unknown): Promise<void> {
    const action = panelActionSchema.safeParse(message);
    if (!action.success) {
      this.#deps.log.warn(`a message of the Waiting view was ignored: ${action.error.issues[0]?.message ?? ''}`);
      return;
    }
    try {
      await this.#act(action.data);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#deps.log.error(`${action.data.type}: ${why}`);
      this.#notice = vscode.l10n.t('Sallyport could not do that: {0}', messageText(said(why, vscode.l10n)));
    }
    this.#refresh();
  }

  /** Whether notifications are held back in all windows. */
  get snooze(): Snooze {
    return this.#deps.snooze;
  }

  requests(): readonly PendingRequest[] {
    return this.#broker?.requests() ?? [];
  }

  history(): readonly AnswerRecord[] {
    return this.#broker?.history() ?? [];
  }

  answer(given: GivenAnswer): AnswerReceipt {
    const receipt = this.#take(given);
    this.#refresh();
    return receipt;
  }

  async showTerminal(id: string): Promise<void> {
    await this.#deps.showTerminal(id);
  }

  async openDiff(id: string): Promise<void> {
    await this.#openDiff(id, 'leave');
  }

  async showCard(id: string): Promise<void> {
    this.#toReveal = id;
    await vscode.commands.executeCommand('sallyport.waiting.focus');
    this.#refresh();
  }

  dispose(): void {
    this.#owned.dispose();
    this.#deps.showBadge(undefined);
  }

  async #begin(): Promise<void> {
    this.#condition = vscode.workspace.isTrusted ? { kind: 'watching' } : { kind: 'untrusted' };
    try {
      if (vscode.workspace.isTrusted) {
        await this.#deps.snooze.open();
        this.#broker = await this.#deps.broker();
        this.#owned.add(this.#broker.onDidChange(() => this.#refresh()));
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#deps.log.error(`sessions cannot be watched: ${why}`);
      this.#condition = { kind: 'failed', why: messageText(why) };
    }
    if (!this.#broker) this.#starting = undefined;
    this.#refresh();
  }

  /** Asked whenever the view is opened: that the agent is missing matters there alone. */
  async #lookForAgent(): Promise<void> {
    if (!vscode.workspace.isTrusted || this.#condition.kind === 'failed') return;
    const isThere = await this.#deps.hasAgent().catch(() => true);
    this.#condition = { kind: isThere ? 'watching' : 'noAgent' };
    this.#refresh();
  }

  async #act(action: PanelAction): Promise<void> {
    if (action.type !== 'ready') this.#notice = undefined;
    switch (action.type) {
      case 'ready':
        this.#isReady = true;
        void this.#lookForAgent();
        return;
      case 'answer':
        this.#hearAnswer(action);
        return;
      case 'showTerminal':
      case 'reopen':
        await this.#deps[action.type](action.id);
        return;
      case 'openDiff':
        await this.#openDiff(action.id, 'take');
        return;
      case 'command':
        await vscode.commands.executeCommand(commands[action.command]);
    }
  }

  /** Says on the card, or where there is none any more in the view, why an answer was not taken. */
  #hearAnswer({ id, hash, answer, anyway }: Extract<PanelAction, { type: 'answer' }>): void {
    const receipt = this.#take({ id, hash, answer, anyway });
    if (receipt.taken) return;
    if (this.requests().some((request) => request.id === id)) this.#memory.answerRefused(id, receipt.why);
    else this.#notice = receipt.why;
  }

  #take(given: GivenAnswer): AnswerReceipt {
    const receipt = this.#broker?.answer(given);
    if (receipt?.taken === true) this.#memory.answerTaken(given.id, given.answer);
    return receipt ?? { taken: false, reason: 'unknownRequest', why: vscode.l10n.t('No session is watched now.') };
  }

  async #openDiff(id: string, focus: 'take' | 'leave'): Promise<void> {
    const request = this.requests().find((each) => each.id === id);
    if (request) await this.#diffs.open(request, focus);
  }

  /** Shows things as they are now, everywhere. */
  #refresh(): void {
    const requests = this.requests();
    this.#changes.fire();
    this.#memory.update(requests, this.#deps.clock.now());
    this.#notifications.update(requests);
    this.#diffs.update(requests);
    const waiting = requests.filter(needsAnswer);
    this.#showSnooze();
    this.#status.show(waiting, this.#deps.snooze.untilMs);
    this.#showBadge(waiting.length);
    if (!this.#isReady) return;
    this.#tell(
      viewState(
        {
          requests,
          history: this.history(),
          memory: this.#memory,
          notice: this.#notice,
          nowMs: this.#deps.clock.now(),
          condition: this.#condition,
        },
        vscode.l10n,
      ),
    );
    if (this.#toReveal !== undefined) this.#tell({ type: 'reveal', id: this.#toReveal });
    this.#toReveal = undefined;
  }

  /** Whether the person sees what comes. */
  get #attention() {
    if (!vscode.window.state.focused) return 'away';
    return this.#view?.visible === true ? 'watched' : 'near';
  }

  #showSnooze(): void {
    const isSnoozed = this.#deps.snooze.untilMs !== undefined;
    if (isSnoozed === this.#isSnoozed) return;
    this.#isSnoozed = isSnoozed;
    void vscode.commands.executeCommand('setContext', 'sallyport.snoozed', isSnoozed);
  }

  /** After a snooze that ran out: once, in one window, how much waits. */
  async #tellWhatCame(atMs: number): Promise<void> {
    const isSeen = this.#attention === 'watched' || !this.#deps.wantsNotifications();
    if (isSeen || !this.requests().some(needsAnswer) || !(await this.#claim(`snooze ${atMs}`))) return;
    await tellWhatCame(this.requests().filter(needsAnswer).length);
  }

  #showBadge(count: number): void {
    const badge = count === 0 ? undefined : { value: count, tooltip: vscode.l10n.t('{0} waiting', count) };
    if (this.#view) this.#view.badge = badge;
    this.#deps.showBadge(this.#view ? undefined : badge);
  }

  #tell(message: ViewMessage): void {
    void this.#view?.webview.postMessage(message);
  }

  async #notify(request: PendingRequest): Promise<void> {
    if (!(await wantsToSee(request))) return;
    // The editor takes no notification back: it may be about something that is over.
    const isThere = this.requests().some(({ id }) => id === request.id);
    if (!isThere) this.#notice = vscode.l10n.t('That request is over: {0}', attentionText(request, vscode.l10n));
    await this.showCard(request.id);
  }
}
