import type { EmptyView, ViewState } from '../../protocol/panel.ts';
import type { AnswerRecord, PendingRequest } from '../../protocol/request.ts';
import { type CardMemory, sessionsOf } from './cardModel.ts';
import { type DeliveryMemory, historyLines } from './historyLines.ts';
import { type L10n, said } from '../l10n.ts';
import { viewTexts } from './viewTexts.ts';

/** Everything the Waiting view shows, from what the window knows. */
export interface ViewInput {
  requests: readonly PendingRequest[];
  history: readonly AnswerRecord[];
  memory: CardMemory & DeliveryMemory;
  notice: string | undefined;
  nowMs: number;
  /** `noAgent`: watched, though Cursor's agent is not installed. `untrusted`: Restricted Mode. `failed`: nothing can be watched, and why. */
  condition: { kind: 'watching' } | { kind: 'noAgent' } | { kind: 'untrusted' } | { kind: 'failed'; why: string };
}

/** Pure. */
export function viewState(input: ViewInput, l10n: L10n): ViewState {
  const { requests, history, memory, notice, nowMs } = input;
  const sessions = sessionsOf(requests, memory, l10n);
  return {
    type: 'state',
    nowMs,
    texts: viewTexts(l10n),
    sessions,
    history: historyLines(requests, history, memory, l10n),
    ...(notice !== undefined && { notice: said(notice, l10n) }),
    ...(sessions.length === 0 && { empty: emptyView(input.condition, l10n) }),
  };
}

function emptyView(condition: ViewInput['condition'], l10n: L10n): EmptyView {
  switch (condition.kind) {
    case 'untrusted':
      return {
        icon: 'shield',
        title: l10n.t('Restricted Mode'),
        lines: [
          l10n.t('Sallyport looks at no agent in Restricted Mode. Their own prompts work in their terminals as ever.'),
        ],
        commands: ['manageTrust'],
      };
    case 'failed':
      return {
        icon: 'error',
        title: l10n.t('Sessions cannot be watched'),
        lines: [said(condition.why, l10n), l10n.t('Answer in the terminal meanwhile. The log says more.')],
        commands: ['showLog', 'checkSetup'],
      };
    case 'watching':
      return {
        icon: 'inbox',
        title: l10n.t('Nothing is waiting'),
        lines: [
          l10n.t('When a Cursor agent asks for approval or has a question, it appears here.'),
          l10n.t('Agents in tmux and in terminals that Sallyport starts can be answered from here.'),
        ],
        commands: ['startAgent'],
      };
    case 'noAgent':
      return {
        icon: 'inbox',
        title: l10n.t('Cursor’s agent was not found'),
        lines: [
          l10n.t('What a Cursor agent asks for appears here, and it is not installed where Sallyport runs.'),
          l10n.t('Codex, Claude Code and Grok do without it: delegate to them from the Runs view.'),
        ],
        commands: ['checkSetup'],
      };
  }
}
