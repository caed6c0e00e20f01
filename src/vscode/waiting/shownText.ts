import { type TextPart, revealParts } from '../../base/displayText.ts';
import { findLookAlikes } from '../../base/lookAlikes.ts';
import type { Shown } from '../../protocol/panel.ts';

/** Past this, a text's middle is left out: the view stays quick, and what is left out is named. */
const maxLength = 60_000;

/** Makes an agent's texts fit to be shown, and remembers what was found in them. One for each card. */
export class Revealer {
  hidden = false;
  lookAlikes = false;

  show(text: string): Shown {
    return separateLookAlikes(text).flatMap((part) => {
      this.lookAlikes ||= part.hidden === true;
      if (part.hidden) return [part];
      const parts = revealParts(part.text);
      this.hidden ||= parts.some(({ hidden }) => hidden);
      return parts;
    });
  }
}

/** A text's beginning and end where it is too long, with `gap` (made of the number of characters left out) between them. */
export function shorten(text: string, gap: (left: number) => string): { text: string; whole: boolean } {
  if (text.length <= maxLength) return { text, whole: true };
  const end = maxLength / 3;
  const begin = maxLength - end;
  return {
    text: `${text.slice(0, begin)}\n${gap(text.length - maxLength)}\n${text.slice(-end)}`,
    whole: false,
  };
}

function separateLookAlikes(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { at, length } of findLookAlikes(text)) {
    if (at > end) parts.push({ text: text.slice(end, at) });
    parts.push({ text: `\\u{${(text.codePointAt(at) ?? 0).toString(16)}}`, hidden: true });
    end = at + length;
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end) });
  return parts.filter((part) => part.text !== '');
}
