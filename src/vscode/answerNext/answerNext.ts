import * as vscode from 'vscode';
import type { Event } from '../../base/event.ts';
import type { Answer, AnswerRecord, PendingRequest } from '../../protocol/request.ts';
import type { AnswerReceipt, GivenAnswer } from '../../requests/source.ts';
import { messageText } from '../messageText.ts';
import { attentionText } from '../waiting/attentionTexts.ts';
import { askQuestions } from './askQuestions.ts';
import { choiceLabel, letters } from './choices.ts';
import { outcomeLine, outcomeRows } from './outcomes.ts';
import { type Choice, showRequest } from './requestRows.ts';
import { type Picked, type Row, Stage } from './stage.ts';
import { isSameQuestion, Walk } from './walk.ts';
import { said } from '../l10n.ts';

/** What waits, as the walk through it sees it. */
export interface Queue {
  readonly onDidChange: Event<void>;
  requests(): readonly PendingRequest[];
  history(): readonly AnswerRecord[];
  /** As on a card: the answer is for what was shown. */
  answer(given: GivenAnswer): AnswerReceipt;
  showTerminal(id: string): Promise<void>;
  /** Beside the walk: the focus stays where it is. */
  openDiff(id: string): Promise<void>;
  /** Brings its card before the person. */
  showCard(id: string): Promise<void>;
}

/** Walks with the person through everything that can be answered from here, oldest first, until none is left. */
export async function answerNext(queue: Queue): Promise<void> {
  const stage = new Stage(queue.onDidChange);
  const walk = new AnswerWalk(queue, stage);
  try {
    await walk.run();
  } finally {
    stage.dispose();
  }
  await walk.tellFailures();
}

class AnswerWalk {
  readonly #queue: Queue;
  readonly #stage: Stage;
  readonly #walk = new Walk();
  /** Hashes of requests that have been in sight whole. */
  readonly #read = new Set<string>();
  /** About the last thing that went otherwise than the person asked for. */
  #notice: string | undefined;

  constructor(queue: Queue, stage: Stage) {
    this.#queue = queue;
    this.#stage = stage;
  }

  async run(): Promise<void> {
    if (!this.#next()) {
      await this.#sayNothingToAnswer();
      return;
    }
    for (;;) {
      const request = this.#next();
      if (!(request ? await this.#take(request) : await this.#waitForMore())) return;
    }
  }

  #next(): PendingRequest | undefined {
    return this.#walk.next(this.#queue.requests());
  }

  /** One request, until it is answered, passed over or gone. False ends the walk. */
  async #take(request: PendingRequest): Promise<boolean> {
    const picked = await this.#ask(request);
    if (picked.kind === 'closed') return false;
    if (picked.kind !== 'chosen') {
      this.#notice = vscode.l10n.t('That request is over: {0}', attentionText(request, vscode.l10n));
      return true;
    }
    return await this.#follow(request, picked.value);
  }

  async #follow(request: PendingRequest, choice: Choice): Promise<boolean> {
    switch (choice) {
      case 'later':
        this.#walk.pass(request);
        return true;
      case 'approve':
      case 'skip':
        this.#give(request, { kind: choice });
        return true;
      case 'reject':
        this.#give(request, { kind: 'reject', reason: '' });
        return true;
      case 'rejectWithReason':
        return await this.#rejectWithReason(request);
      case 'answer':
        return await this.#answerForm(request);
      case 'openDiff':
        await this.#queue.openDiff(request.id);
        return true;
      case 'showTerminal':
      case 'showCard':
        // The person goes there.
        await this.#queue[choice](request.id);
        return false;
    }
  }

  async #ask(request: PendingRequest): Promise<Picked<Choice>> {
    const { title, choices, around, groups, essential, isWhole } = showRequest(request, vscode.l10n);
    const left = this.#walk.left(this.#queue.requests());
    const choiceRow = (choice: Choice): Row<Choice> => ({
      label: choiceLabel(choice, request.kind),
      description: choice === 'later' ? vscode.l10n.t('nothing is sent') : (letters[choice] ?? ''),
      value: choice,
    });
    const read = groups.map(({ heading, rows: lines }) => [separator(heading), ...lines.map((label) => ({ label }))]);
    const elsewhere = around.length === 0 ? [] : [separator(vscode.l10n.t('Look at it')), ...around.map(choiceRow)];
    const rows: Row<Choice>[] = [
      ...choices.map(choiceRow),
      ...read.slice(0, essential).flat(),
      ...elsewhere,
      ...read.slice(essential).flat(),
    ];
    return await this.#stage.pick<Choice>({
      title: vscode.l10n.t('{0} ({1} to answer)', title, left),
      placeholder: this.#placeholder,
      rows,
      keys: new Map(
        [...choices, ...around].flatMap((choice) => (letters[choice] === undefined ? [] : [[letters[choice], choice]])),
      ),
      mustRead: {
        rows: choices.length + groups.slice(0, essential).reduce((sum, { rows: lines }) => sum + lines.length, 0),
        onRead: () => this.#read.add(request.hash),
      },
      objection: (choice) => (choice === 'approve' ? this.#objection(request, isWhole) : undefined),
      isStale: () => !this.#isStill(request),
      news: () => this.#placeholder,
    });
  }

  #objection({ hash }: PendingRequest, isWhole: boolean): string | undefined {
    if (!isWhole) return vscode.l10n.t('Not all of it can be shown here. Approve it on its card, or in the terminal.');
    if (this.#read.has(hash)) return undefined;
    return vscode.l10n.t('Read it to its end first: Page Down, or the arrow keys.');
  }

  async #rejectWithReason(request: PendingRequest): Promise<boolean> {
    const picked = await this.#stage.write({
      title: vscode.l10n.t('Reject with Reason'),
      prompt: attentionText(request, vscode.l10n),
      over: () => this.#overText(request),
    });
    if (picked.kind === 'chosen') this.#give(request, { kind: 'reject', reason: picked.value });
    else this.#notice = this.#overText(request);
    return true;
  }

  async #answerForm(request: PendingRequest): Promise<boolean> {
    if (request.kind !== 'question') return true;
    const answers = await askQuestions(request, this.#stage, () => this.#overText(request));
    if (answers) this.#give(request, { kind: 'answers', answers });
    else this.#notice = this.#overText(request);
    return true;
  }

  /** Once the walk is over: says what did not arrive after it. */
  async tellFailures(): Promise<void> {
    if (!this.#fates.some(({ fate }) => fate.kind === 'sending')) return;
    await new Promise<void>((resolve) => {
      const subscription = this.#queue.onDidChange(() => {
        if (this.#fates.some(({ fate }) => fate.kind === 'sending')) return;
        subscription.dispose();
        resolve();
      });
    });
    if (!this.#fates.some(({ fate }) => fate.kind === 'failed')) return;
    const show = vscode.l10n.t('Show');
    const text = messageText(outcomeLine(this.#fates, vscode.l10n));
    if ((await vscode.window.showWarningMessage(text, show)) === show) {
      await vscode.commands.executeCommand('sallyport.waiting.focus');
    }
  }

  #give(request: PendingRequest, answer: Answer): void {
    this.#notice = undefined;
    const { id, hash } = request;
    const receipt = this.#queue.answer({ id, hash, answer, anyway: false });
    if (receipt.taken) this.#walk.gave(request);
    else this.#notice = said(receipt.why, vscode.l10n);
  }

  /** Nothing to ask now: shows what became of the answers, and goes on as soon as there is more. */
  async #waitForMore(): Promise<boolean> {
    const isOnTheWay = () => this.#fates.some(({ fate }) => fate.kind === 'sending');
    const outcomes = () => outcomeRows(this.#fates, vscode.l10n);
    const shown = outcomes();
    const picked = await this.#stage.pick<'close'>({
      title: isOnTheWay() ? vscode.l10n.t('Answers are on their way') : vscode.l10n.t('Nothing more to answer'),
      placeholder: this.#placeholder,
      rows: [
        { label: vscode.l10n.t('Close'), value: 'close' },
        separator(vscode.l10n.t('Answered')),
        ...shown.map((label) => ({ label })),
      ],
      isStale: () => this.#next() !== undefined || outcomes().join('\n') !== shown.join('\n'),
      news: () => this.#placeholder,
      isBusy: isOnTheWay,
    });
    return picked.kind === 'stale';
  }

  async #sayNothingToAnswer(): Promise<void> {
    const others = this.#queue.requests().length;
    const show = vscode.l10n.t('Show');
    const message =
      others === 0
        ? vscode.l10n.t('Nothing is waiting for you.')
        : vscode.l10n.t('Nothing can be answered from here now. The Waiting view says why.');
    const chosen = await vscode.window.showInformationMessage(message, ...(others === 0 ? [] : [show]));
    if (chosen === show) await vscode.commands.executeCommand('sallyport.waiting.focus');
  }

  get #fates() {
    return this.#walk.fates(this.#queue.requests(), this.#queue.history());
  }

  get #placeholder(): string {
    const said = [this.#notice, outcomeLine(this.#fates, vscode.l10n)].filter(
      (each) => each !== undefined && each !== '',
    );
    return said.length === 0
      ? vscode.l10n.t('Choose with the arrow keys, or press the letter. Escape ends the walk.')
      : messageText(said.join(' · '));
  }

  #isStill(request: PendingRequest): boolean {
    return isSameQuestion(
      request,
      this.#queue.requests().find(({ id }) => id === request.id),
    );
  }

  #overText(request: PendingRequest): string | undefined {
    return this.#isStill(request) ? undefined : vscode.l10n.t('This request is over. Nothing will be sent.');
  }
}

const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator });
