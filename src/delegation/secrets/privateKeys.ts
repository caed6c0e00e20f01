import type { Span } from './span.ts';

const kind = 'private key';
/** RFC 7468 section 2 and its PGP and OpenSSH kin. */
const border = /-----(BEGIN|END) (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** A key's lines as they stand in files, diffs and listings: base64, headers (`Proc-Type: 4,ENCRYPTED`), blank lines. */
const bodyLine = /^[ \t>|+\-\d:"'\\,]*(?:[A-Za-z0-9+/=]{1,200}|[A-Z][A-Za-z-]{2,20}: .{0,120})?[ \t\\"',+]*$/;
const material = /[A-Za-z0-9+/=]{30,}/;
/** The longest a body may be. An 8192-bit RSA key has 6,400 characters; PGP blocks carry several keys. */
const maxBody = 32_768;

/**
 * Finds private keys, borders included. A key whose beginning or end was cut off is found by the border that is left.
 * Borders without key material between them (in code, in prose) are left alone.
 */
export function findPrivateKeys(text: string): Span[] {
  const spans: Span[] = [];
  let begin: { start: number; bodyStart: number } | undefined;
  for (const match of text.matchAll(border)) {
    const end = match.index + match[0].length;
    if (match[1] === 'BEGIN') {
      if (begin) pushOpen(text, begin, match.index, spans);
      begin = { start: match.index, bodyStart: end };
      continue;
    }
    if (begin && match.index - begin.bodyStart <= maxBody) {
      if (material.test(text.slice(begin.bodyStart, match.index))) spans.push({ start: begin.start, end, kind });
    } else {
      if (begin) pushOpen(text, begin, match.index, spans);
      const start = bodyStartBefore(text, match.index);
      if (material.test(text.slice(start, match.index))) spans.push({ start, end, kind });
    }
    begin = undefined;
  }
  if (begin) pushOpen(text, begin, text.length, spans);
  return spans;
}

/** Whether a line, or the beginning of one, still belongs to a private key whose beginning came before. */
export function isKeyLine(line: string): boolean {
  return bodyLine.test(line.replace(/\r$/, ''));
}

/** A key that has no end: everything that still reads like its lines. */
function pushOpen(text: string, begin: { start: number; bodyStart: number }, limit: number, spans: Span[]): void {
  let end = begin.bodyStart;
  while (end < limit) {
    const lineEnd = endOfLine(text, end, limit);
    if (!isKeyLine(text.slice(end, lineEnd))) break;
    end = Math.min(lineEnd + 1, limit);
  }
  while (end > begin.bodyStart && /\s/.test(text[end - 1] ?? '')) end--;
  if (material.test(text.slice(begin.bodyStart, end))) spans.push({ start: begin.start, end, kind });
}

function bodyStartBefore(text: string, end: number): number {
  const limit = Math.max(0, end - maxBody);
  let start = end;
  while (start > limit) {
    const lineStart = text.lastIndexOf('\n', start - 2) + 1;
    if (lineStart < limit || !bodyLine.test(text.slice(lineStart, start).trimEnd())) break;
    start = lineStart;
  }
  return start;
}

function endOfLine(text: string, from: number, limit: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? limit : Math.min(at, limit);
}
