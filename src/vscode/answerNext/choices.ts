import * as vscode from 'vscode';
import type { PendingRequest } from '../../protocol/request.ts';
import type { Choice } from './requestRows.ts';

/** The letters that choose at once; on cards they are the same. */
export const letters: Readonly<Partial<Record<Choice, string>>> = {
  approve: 'y',
  reject: 'n',
  rejectWithReason: 'r',
  answer: 'a',
  skip: 's',
  openDiff: 'd',
  showTerminal: 't',
};

/** What a choice is called, for this kind of request. */
export function choiceLabel(choice: Choice, kind: PendingRequest['kind']): string {
  const { l10n } = vscode;
  switch (choice) {
    case 'later':
      return `$(clock) ${l10n.t('Decide Later')}`;
    case 'approve':
      return `$(check) ${l10n.t('Approve')}`;
    case 'reject':
      return `$(circle-slash) ${l10n.t('Reject')}`;
    case 'rejectWithReason':
      return `$(comment) ${l10n.t('Reject with Reason…')}`;
    case 'answer':
      return `$(comment-discussion) ${l10n.t('Answer…')}`;
    case 'skip':
      return `$(arrow-right) ${kind === 'question' ? l10n.t('Skip These Questions') : l10n.t('Skip')}`;
    case 'openDiff':
      return `$(diff) ${l10n.t('Open Diff')}`;
    case 'showTerminal':
      return `$(terminal) ${l10n.t('Show Terminal')}`;
    case 'showCard':
      return `$(bell) ${l10n.t('Show Its Card')}`;
  }
}
