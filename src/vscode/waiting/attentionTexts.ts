import type { PendingRequest } from '../../protocol/request.ts';
import { messageText } from '../messageText.ts';
import { sessionName } from './cardModel.ts';
import type { L10n } from '../l10n.ts';
import { subjectLine } from './subjectLine.ts';

/** What one request wants, in one line for a notification or a tooltip: whose session, and what exactly. */
export function attentionText(request: PendingRequest, l10n: L10n): string {
  const who = messageText(sessionName(request), 60);
  const what = messageText(subjectLine(request), 160);
  if (request.kind === 'question') return l10n.t('{0} asks: {1}', who, what);
  switch (request.subject.kind) {
    case 'command':
      return l10n.t('{0} wants to run: {1}', who, what);
    case 'write':
    case 'replace':
    case 'patch':
      return l10n.t('{0} wants to change: {1}', who, what);
    case 'delete':
      return l10n.t('{0} wants to delete: {1}', who, what);
    case 'fetch':
      return l10n.t('{0} wants to fetch: {1}', who, what);
    case 'search':
      return l10n.t('{0} wants to search for: {1}', who, what);
    case 'mcpTool':
    case 'other':
      return l10n.t('{0} wants to use: {1}', who, what);
    case 'modeSwitch':
      return l10n.t('{0} wants to switch its mode: {1}', who, what);
  }
}
