import type { Card, Session } from '../../protocol/panel.ts';
import type { PendingRequest } from '../../protocol/request.ts';
import { type CardMemory, sessionsOf } from '../waiting/cardModel.ts';
import type { L10n } from '../l10n.ts';
import { plain, rowsOf } from './rowText.ts';

/** What a person can do with the request before them. */
export type Choice =
  'later' | 'approve' | 'reject' | 'rejectWithReason' | 'answer' | 'skip' | 'openDiff' | 'showTerminal' | 'showCard';

/** Everything there is to decide on, as a picker shows it. */
export interface ShownRequest {
  title: string;
  /** The safe one first. */
  choices: readonly Choice[];
  /** Where else to look. */
  around: readonly Choice[];
  /** Groups of rows to read, each under a heading. */
  groups: readonly RowGroup[];
  /** How many of these groups must have been seen before approving. */
  essential: number;
  /** False where only the Waiting view could show the rest: then there is no approving here. */
  isWhole: boolean;
}

interface RowGroup {
  heading: string;
  rows: readonly string[];
}

const nothingRemembered: CardMemory = { given: () => undefined, refusal: () => undefined };

/** What a request looks like on the walk. Pure. */
export function showRequest(request: PendingRequest, l10n: L10n): ShownRequest {
  const [session] = sessionsOf([request], nothingRemembered, l10n);
  const card = session?.cards[0];
  if (!session || !card) return { title: '', choices: ['later'], around: [], groups: [], essential: 0, isWhole: false };
  const what: RowGroup[] = [
    ...failureOf(card, l10n),
    ...card.blocks.map(({ name, lines }) => ({
      heading: name,
      rows: lines.flatMap(({ text }) => rowsOf(text)),
    })),
    ...(card.questions ?? []).map(({ prompt, options }, index) => ({
      heading: l10n.t('Question {0}', index + 1),
      rows: [...rowsOf(prompt), ...options.flatMap((option) => rowsOf(option, '• '))],
    })),
    { heading: l10n.t('Note'), rows: card.warnings.flatMap((warning) => rowsOf([{ text: warning }], '$(warning) ')) },
    {
      heading: l10n.t('Session'),
      rows: [...card.remarks.flatMap((remark) => rowsOf(remark)), plain(whereText(session))],
    },
  ].filter(({ rows }) => rows.length > 0);
  const fields = card.fields.flatMap(({ name, value }) => rowsOf([...name, { text: ': ' }, ...value]));
  return {
    title: `${textOf(session.folder)}: ${card.title}`,
    choices: choicesOf(card),
    around: [
      ...(card.canOpenDiff ? (['openDiff'] as const) : []),
      ...(card.actions.includes('showTerminal') ? (['showTerminal'] as const) : []),
    ],
    groups: [...what, { heading: l10n.t('All fields'), rows: fields }],
    essential: what.length,
    isWhole: card.canApprove && card.blocks.every(({ whole }) => whole),
  };
}

function choicesOf({ stage, questions }: Card): Choice[] {
  // What its screen shows must be looked at first, and that is on the card.
  if (stage.kind === 'failed' && stage.retry !== 'again') return ['later', 'showCard'];
  if (questions === undefined) return ['later', 'approve', 'reject', 'rejectWithReason'];
  return questions.length > 0 ? ['later', 'answer', 'skip'] : ['later', 'skip'];
}

function failureOf({ stage }: Card, l10n: L10n): RowGroup[] {
  if (stage.kind !== 'failed') return [];
  return [
    { heading: l10n.t('Not delivered'), rows: rowsOf(stage.why, '$(error) ') },
    { heading: l10n.t('Its screen'), rows: stage.screen.flatMap((row) => rowsOf(row)) },
  ];
}

function whereText({ folder, title, where }: Session): string {
  return [folder, title, where].map(textOf).filter(Boolean).join(' · ');
}

const textOf = (shown: Session['folder']) => shown.map(({ text }) => text).join('');
