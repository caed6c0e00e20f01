/** What a text looks like once everything in it can be seen. */
export interface ShownText {
  text: string;
  /** Something acted, hid or reordered: a person should be warned. */
  suspicious: boolean;
}

/**
 * Characters that act, hide or reorder instead of showing: C0 and C1 controls, soft hyphen, fillers, zero-width and bidi
 * controls, line and paragraph separators, variation selectors that no emoji uses, annotations, tag characters, and lone
 * surrogates (Unicode Bidirectional Algorithm; "Trojan Source"). CR LF counts as a line feed, and a joiner between two emoji
 * (Unicode Technical Standard 51) as part of them.
 */
const hidden =
  /\r\n|[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Surrogate}|(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/**
 * Shows what would act or hide as an escape: `\x1b` for control characters, `\u{202e}` for the others. Line feeds and tabs
 * are kept as they are, unless `keepLayout` is false.
 */
export function reveal(text: string, keepLayout = true): ShownText {
  let suspicious = false;
  const shown = text.replace(hidden, (found) => {
    const layout = found === '\n' || found === '\t' || found === '\r\n';
    if (layout && keepLayout) return found === '\t' ? found : '\n';
    if (!layout) suspicious = true;
    return Array.from(found, escape).join('');
  });
  return { text: shown, suspicious };
}

/** A part of a text: what it says as it is, or (hidden) an escape that stands for what could not be seen. */
export interface TextPart {
  text: string;
  hidden?: true;
}

/** `reveal` in parts, so that what was hidden can be marked. Line feeds and tabs are kept. */
export function revealParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  let plain = '';
  for (const { 0: found, index } of text.matchAll(hidden)) {
    plain += text.slice(end, index);
    end = index + found.length;
    if (found === '\n' || found === '\r\n') plain += '\n';
    else if (found === '\t') plain += found;
    else {
      if (plain !== '') parts.push({ text: plain });
      plain = '';
      parts.push({ text: escape(found), hidden: true });
    }
  }
  plain += text.slice(end);
  if (plain !== '') parts.push({ text: plain });
  return parts;
}

/** `reveal` for places that have no room for a warning. Keeps line feeds and tabs. */
export function showHidden(text: string): string {
  return reveal(text).text;
}

/** Text of an agent for a place that holds one line: white space folded, hidden characters shown, at most `max` UTF-16 units. */
export function oneLine(text: string, max: number): string {
  const line = showHidden(
    text
      .slice(0, max * 4)
      .replace(/[ \t\r\n]+/g, ' ')
      .trim(),
  );
  if (line.length <= max) return line;
  return `${line
    .slice(0, Math.max(0, max - 1))
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code <= 0xff ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}
