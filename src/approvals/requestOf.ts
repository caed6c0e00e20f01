import type { PendingRequest } from '../protocol/request.ts';
import { actionsOf, answerableOf, deliveryOf, type Where } from './answerable.ts';
import { sessionFor } from './describe.ts';
import type { Track } from './track.ts';

/** The request as it is shown; undefined while it has no card. `before`: the calls of its batch that are asked before it. */
export function requestOf(track: Track, where: Where, before: readonly Track[]): PendingRequest | undefined {
  const { asked, details, card } = track;
  if (!card) return undefined;
  return {
    id: asked.id,
    hash: details.hash,
    session: sessionFor(asked, where.terminal?.target?.title),
    certainty: card.certainty,
    sinceMs: card.sinceMs,
    batch: asked.batchSize > 1 ? { place: asked.place + 1, size: asked.batchSize } : undefined,
    fields: details.fields,
    answerable: answerableOf(track, where, before),
    actions: actionsOf(track, where),
    delivery: deliveryOf(track, where),
    ...details.body,
  };
}

/** The same for the same requests. What a call says goes by its hash: it may be long. */
export function signatureOf(requests: readonly PendingRequest[]): string {
  return JSON.stringify(
    requests.map(({ id, hash, session, certainty, sinceMs, batch, answerable, actions, delivery }) => [
      id,
      hash,
      session,
      certainty,
      sinceMs,
      batch,
      answerable,
      actions,
      delivery,
    ]),
  );
}
