/** A place in a file that a text names. Offsets in UTF-16 units, `end` exclusive; line and column count from 1. */
export interface FileReference {
  start: number;
  end: number;
  path: string;
  line?: number;
  column?: number;
}

/**
 * `src/a.ts:12`, `src/a.ts:12:5`, `src/a.ts:12-20`, `./a`, `C:\x\a.ts:3`, `src/a.ts#L12`, and without a line what has a folder or an ending. What
 * is part of an address (`http://…`) or of a Markdown link's target is none.
 */
const reference =
  /(?<![\w/\\.:@%#?&=~+-]|\]\()((?:[A-Za-z]:[\\/]|\.{1,2}[\\/]|[\\/])?(?:[\p{L}\p{N}_.@+-]+[\\/])*[\p{L}\p{N}_.@+-]*[\p{L}\p{N}_])(?::(\d{1,7})(?::(\d{1,5}))?|#L(\d{1,7}))?(?:-L?\d{1,7})?(?![\p{L}\p{N}_\\/]|:\/\/)/gu;

/** More than anybody reads, so that a huge result costs no time. */
const maxReferences = 1_000;
const maxPathChars = 400;

/** The places in files that a text seems to name. Whether they are there is for the caller to see. */
export function fileReferences(text: string): FileReference[] {
  const found: FileReference[] = [];
  for (const match of text.matchAll(reference)) {
    const [whole, path = '', line, column, hashLine] = match;
    const lineText = line ?? hashLine;
    // A word without a folder, a line or an ending is a word.
    if (lineText === undefined && !/[\\/]|\w\.\w{1,8}$/.test(path)) continue;
    if (path.length > maxPathChars || /^[\\/]+$/.test(path)) continue;
    found.push({
      start: match.index,
      end: match.index + whole.length,
      path,
      ...(lineText !== undefined && Number(lineText) > 0 && { line: Number(lineText) }),
      ...(column !== undefined && Number(column) > 0 && { column: Number(column) }),
    });
    if (found.length === maxReferences) break;
  }
  return found;
}

/** Parts of a Markdown text that a link must not be put into: code blocks, code spans, and links. */
const untouchable =
  /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|(?![\s\S]))|(`+)[^`\n]+?\2|!?\[[^\]\n]*\]\([^)\n]*\)|<[^>\n]+>/gmu;

/**
 * The text with a Markdown link for each reference that `targetOf` knows a target of. A code span that is nothing but a
 * reference becomes a link as a whole; other code is left alone.
 */
export function withLinks(text: string, targetOf: (reference: FileReference) => string | undefined): string {
  let linked = '';
  let at = 0;
  for (const match of text.matchAll(untouchable)) {
    linked += linkAll(text.slice(at, match.index), targetOf);
    const [whole, , ticks] = match;
    linked += ticks === undefined ? whole : linkCode(whole, ticks, targetOf);
    at = match.index + whole.length;
  }
  return linked + linkAll(text.slice(at), targetOf);
}

type TargetOf = Parameters<typeof withLinks>[1];

function linkAll(text: string, targetOf: TargetOf): string {
  let linked = '';
  let at = 0;
  for (const found of fileReferences(text)) {
    const target = targetOf(found);
    if (target === undefined) continue;
    linked += text.slice(at, found.start) + linkTo(target, text.slice(found.start, found.end));
    at = found.end;
  }
  return linked + text.slice(at);
}

function linkCode(code: string, ticks: string, targetOf: TargetOf): string {
  const inner = code.slice(ticks.length, -ticks.length).trim();
  const [found] = fileReferences(inner);
  const target = found?.start === 0 && found.end === inner.length ? targetOf(found) : undefined;
  // Without its ticks: the preview draws a link in code dark on dark in the light high-contrast theme.
  return target === undefined ? code : linkTo(target, inner);
}

function linkTo(target: string, text: string): string {
  return `[${text.replace(/[_*]/g, '\\$&')}](${target})`;
}
