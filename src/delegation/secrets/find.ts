import { findKnown, type KnownSecrets } from './known.ts';
import { findLabelled } from './labels.ts';
import { findPrivateKeys } from './privateKeys.ts';
import type { Span } from './span.ts';
import { findTokens } from './tokens.ts';
import { joinLines, type View, viewsOf } from './view.ts';

/**
 * Finds secrets by Sallyport's own rules and by known values, also behind JSON escapes and terminal colours, and known
 * values also where they were wrapped over lines. Spans may overlap. Linear in the text's length.
 */
export function findSecrets(text: string, known: KnownSecrets, views: readonly View[] = viewsOf(text)): Span[] {
  return views.flatMap((view) => [...inView(view, known), ...wrapped(view, known)]);
}

function inView(view: View, known: KnownSecrets): Span[] {
  const { text } = view;
  const spans = [findPrivateKeys(text), findTokens(text), findLabelled(text), findKnown(text, known, true)];
  return spans.flat().map((span) => view.toSource(span));
}

function wrapped(view: View, known: KnownSecrets): Span[] {
  const joined = known.literal.length > 0 ? joinLines(view) : undefined;
  return joined ? findKnown(joined.text, known, false).map((span) => joined.toSource(span)) : [];
}
