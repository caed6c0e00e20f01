import { basename } from 'node:path';
import type { Card, Session, Shown, Stage } from '../../protocol/panel.ts';
import type { Answer, Delivery, PendingRequest, RequestField } from '../../protocol/request.ts';
import { cardBody } from './cardBody.ts';
import { type L10n, said } from '../l10n.ts';
import { Revealer } from './shownText.ts';

/** What the window remembers of requests that the requests do not say themselves. */
export interface CardMemory {
  /** The answer given in this window. */
  given(id: string): Answer | undefined;
  /** Why the last answer was not taken. */
  refusal(id: string): string | undefined;
}

/** Fields are shown whole, up to where the view would become slow. */
const maxField = 60_000;
const maxFields = 300;
/** Past this, a text's length is said. */
const longText = { characters: 400, lines: 8 };

/** The cards of what waits, under their sessions, in the order of the requests. Pure. */
export function sessionsOf(requests: readonly PendingRequest[], memory: CardMemory, l10n: L10n): Session[] {
  const sessions = new Map<string, Session>();
  for (const request of requests.filter((each) => !isDelivered(each.delivery))) {
    const session = sessions.get(request.session.id) ?? sessionOf(request);
    session.cards.push(cardOf(request, memory, l10n));
    sessions.set(request.session.id, session);
  }
  return [...sessions.values()];
}

/** An answer has arrived: what it answered needs nothing more from the person. */
export function isDelivered(delivery: Delivery | undefined): boolean {
  return delivery !== undefined && delivery.state !== 'sending' && delivery.state !== 'notDelivered';
}

/** What the person has to do something about now: neither what only may wait, nor what has its turn later, nor what is on its way. */
export function needsAnswer({ certainty, answerable, delivery }: PendingRequest): boolean {
  const untouched = delivery === undefined || delivery.state === 'notDelivered';
  return certainty === 'waiting' && answerable.state !== 'later' && untouched;
}

/** A session's name for people: its folder's, or what it is about. */
export function sessionName({ session }: PendingRequest): string {
  return session.cwd === undefined ? session.title : basename(session.cwd) || session.cwd;
}

function sessionOf(request: PendingRequest): Session {
  const { id, title, terminal, cwd } = request.session;
  const { show } = plainRevealer();
  return {
    id,
    icon: terminal === undefined || terminal.startsWith('tmux') ? 'terminal' : 'window',
    folder: show(sessionName(request)),
    title: show(cwd === undefined ? '' : title),
    where: show(terminal ?? ''),
    cards: [],
  };
}

function cardOf(request: PendingRequest, memory: CardMemory, l10n: L10n): Card {
  const reveal = new Revealer();
  const body = cardBody(request, reveal, l10n);
  const questions =
    request.kind === 'question'
      ? request.questions.map(({ prompt, options, allowsMultiple }) => ({
          prompt: reveal.show(prompt),
          options: options.map((option) => reveal.show(option)),
          allowsMultiple,
        }))
      : undefined;
  const fields = fieldsOf(request, l10n).map(({ name, value }) => ({
    name: reveal.show(name),
    value: reveal.show(value),
  }));
  const refusal = memory.refusal(request.id);
  return {
    id: request.id,
    hash: request.hash,
    certainty: request.certainty,
    sinceMs: request.sinceMs,
    icon: body.icon,
    title: body.title,
    blocks: body.blocks,
    remarks: [...body.remarks, ...remarksOf(request, reveal, l10n)],
    warnings: [...body.warnings, ...warningsOf(request, reveal, l10n)],
    fields,
    canOpenDiff: body.canOpenDiff,
    canApprove: (body.blocks.every(({ whole }) => whole) || body.canOpenDiff) && canShowAll(request.fields),
    stage: stageOf(request, memory.given(request.id), l10n),
    actions: [...request.actions],
    ...(questions !== undefined && { questions }),
    ...(refusal !== undefined && { refusal: said(refusal, l10n) }),
  };
}

function remarksOf(request: PendingRequest, reveal: Revealer, l10n: L10n): Shown[] {
  const remarks: Shown[] = [];
  const { batch, session } = request;
  if (request.kind === 'permission') remarks.push(...sizeOf(request, l10n));
  if (batch !== undefined && batch.size > 1) {
    remarks.push([{ text: l10n.t('{0} of {1} in this batch', batch.place, batch.size) }]);
  }
  if (session.subagent !== undefined) {
    remarks.push([{ text: `${l10n.t('sub-agent')} ` }, ...reveal.show(session.subagent)]);
  }
  return remarks;
}

/** How long the main text is, where that cannot be seen at a glance. */
function sizeOf({ subject }: Extract<PendingRequest, { kind: 'permission' }>, l10n: L10n): Shown[] {
  const text = 'command' in subject ? subject.command : 'contents' in subject ? subject.contents : undefined;
  if (text === undefined) return [];
  const lines = text.split('\n').length;
  if (text.length < longText.characters && lines < longText.lines) return [];
  const characters = text.length.toLocaleString();
  const size =
    lines === 1
      ? l10n.t('{0} characters in one line', characters)
      : l10n.t('{0} characters, {1} lines', characters, lines.toLocaleString());
  return [[{ text: size }]];
}

function warningsOf({ session }: PendingRequest, { hidden, lookAlikes }: Revealer, l10n: L10n): string[] {
  const { version } = session;
  return [
    ...(hidden ? [l10n.t('Hidden characters are in this text: they are marked.')] : []),
    ...(lookAlikes ? [l10n.t('Letters that look like others are in this text: they are marked.')] : []),
    ...(version?.isChecked === false
      ? [l10n.t('Sallyport was not checked with this version of the agent: {0}.', plainText(version.text))]
      : []),
  ];
}

/** Everything of the call that is not in the body, then where it comes from. */
function fieldsOf(request: PendingRequest, l10n: L10n): { name: string; value: string }[] {
  const { session, fields } = request;
  const about: [string, string | undefined][] = [
    [l10n.t('Session'), session.title],
    [l10n.t('Folder'), session.cwd],
    [l10n.t('Terminal'), session.terminal],
    [l10n.t('Agent'), session.version?.text],
  ];
  const known = about.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [{ name, value }]));
  const shown = fields.slice(0, maxFields).map(({ name, value }) => ({ name: clip(name), value: clip(value) }));
  const left = fields.length - shown.length;
  const rest = left > 0 ? [{ name: '…', value: l10n.t('{0} more fields are left out here.', left) }] : [];
  return [...shown, ...rest, ...known];
}

function stageOf({ delivery, answerable }: PendingRequest, given: Answer | undefined, l10n: L10n): Stage {
  const { show } = plainRevealer();
  if (delivery?.state === 'sending') return { kind: 'sending', what: sendingText(given, l10n) };
  if (delivery?.state === 'notDelivered') {
    const { why, screen, retry } = delivery;
    return {
      kind: 'failed',
      why: show(said(why, l10n)),
      screen: screen.map(show),
      retry,
      ...(given !== undefined && { given }),
    };
  }
  if (answerable.state === 'yes') return { kind: 'open' };
  return { kind: answerable.state === 'later' ? 'later' : 'closed', why: show(said(answerable.why, l10n)) };
}

function sendingText(given: Answer | undefined, l10n: L10n): string {
  switch (given?.kind) {
    case 'approve':
      return l10n.t('Approving…');
    case 'reject':
      return l10n.t('Rejecting…');
    case 'skip':
      return l10n.t('Skipping…');
    case 'answers':
    case undefined:
      return l10n.t('Answering…');
  }
}

/** For texts whose findings no card reports: they are still shown as what they are. */
function plainRevealer(): { show: (text: string) => Shown } {
  const reveal = new Revealer();
  return { show: (text) => reveal.show(text) };
}

const plainText = (text: string) =>
  plainRevealer()
    .show(text)
    .map((part) => part.text)
    .join('');

const clip = (value: string) => (value.length > maxField ? `${value.slice(0, maxField)}…` : value);

/** Whether nothing of the fields is left out. */
function canShowAll(fields: readonly RequestField[]): boolean {
  return fields.length <= maxFields && fields.every(({ value }) => value.length <= maxField);
}
