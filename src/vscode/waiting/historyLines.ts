import { oneLine } from '../../base/displayText.ts';
import type { HistoryLine } from '../../protocol/panel.ts';
import type { Answer, AnswerRecord, PendingRequest } from '../../protocol/request.ts';
import { isDelivered, sessionName } from './cardModel.ts';
import type { L10n } from '../l10n.ts';
import { subjectLine } from './subjectLine.ts';

const maxLines = 100;

/** What the window remembers of answers that have arrived. */
export interface DeliveryMemory {
  given(id: string): Answer | undefined;
  /** Since when the answer has been delivered, in milliseconds since the epoch. */
  deliveredSinceMs(id: string): number;
}

/** The lines about answers, newest first: those that have just arrived, then the history. Pure. */
export function historyLines(
  requests: readonly PendingRequest[],
  records: readonly AnswerRecord[],
  memory: DeliveryMemory,
  l10n: L10n,
): HistoryLine[] {
  const arrived = requests.filter(({ delivery }) => isDelivered(delivery));
  const ids = new Set(arrived.map(({ id }) => id));
  return [
    ...arrived.map((request) => arrivedLine(request, memory, l10n)).reverse(),
    ...records.filter(({ id }) => !ids.has(id)).map((record) => recordLine(record, l10n)),
  ].slice(0, maxLines);
}

function arrivedLine(request: PendingRequest, memory: DeliveryMemory, l10n: L10n): HistoryLine {
  const { icon, tone, text } = ended(memory.given(request.id)?.kind, 'accepted', l10n);
  return {
    id: request.id,
    icon,
    tone,
    text: [{ text: `${text} · ${oneLine(subjectLine(request), 200)}` }],
    where: whereLine(sessionName(request), request.delivery?.state === 'confirmed' ? 'confirmed' : 'accepted', l10n),
    atMs: memory.deliveredSinceMs(request.id),
    ticking: request.delivery?.state !== 'confirmed',
  };
}

function recordLine(record: AnswerRecord, l10n: L10n): HistoryLine {
  const { icon, tone, text } = ended(record.answer, record.end, l10n);
  return {
    id: record.id,
    icon,
    tone,
    text: [{ text: `${text} · ${oneLine(record.what, 200)}` }],
    where: whereLine(record.session, record.end, l10n),
    atMs: record.atMs,
    ticking: false,
  };
}

/** In which session, and how far the answer is known to have come. */
function whereLine(session: string, end: AnswerRecord['end'], l10n: L10n): HistoryLine['where'] {
  const how =
    end === 'confirmed'
      ? l10n.t('confirmed: the session has moved on')
      : end === 'accepted'
        ? l10n.t('accepted: its prompt has left the screen')
        : undefined;
  return [{ text: [oneLine(session, 100), how].filter((each) => each !== undefined).join(' · ') }];
}

function ended(
  answer: Answer['kind'] | undefined,
  end: AnswerRecord['end'],
  l10n: L10n,
): Pick<HistoryLine, 'icon' | 'tone'> & { text: string } {
  if (end === 'notDelivered') return { icon: 'error', tone: 'bad', text: l10n.t('Not delivered') };
  if (end === 'answeredElsewhere') {
    return { icon: 'arrow-swap', tone: 'neutral', text: l10n.t('Answered in the terminal') };
  }
  if (end === 'sessionEnded') return { icon: 'debug-disconnect', tone: 'neutral', text: l10n.t('Session ended') };
  switch (answer) {
    case 'approve':
      return { icon: 'pass', tone: 'good', text: l10n.t('Approved') };
    case 'reject':
      return { icon: 'circle-slash', tone: 'neutral', text: l10n.t('Rejected') };
    case 'skip':
      return { icon: 'debug-step-over', tone: 'neutral', text: l10n.t('Skipped') };
    case 'answers':
    case undefined:
      return { icon: 'comment', tone: 'good', text: l10n.t('Answered') };
  }
}
