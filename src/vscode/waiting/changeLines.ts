/** Lines of a change that have the same mark, as one text. */
export interface MarkedLine {
  mark: 'plain' | 'added' | 'removed';
  text: string;
  /** How many. */
  lines: number;
}

/** How many unchanged lines are shown before and after a change. */
const context = 2;

/** A replaced text as a change: what both begin and end with is context, the rest removed and added. */
export function markChanges(before: string, after: string): MarkedLine[] {
  const old = before.split('\n');
  const fresh = after.split('\n');
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  return [
    ...marked('plain', '  ', old.slice(Math.max(0, start - context), start)),
    ...marked('removed', '- ', before === '' ? [] : old.slice(start, old.length - end)),
    ...marked('added', '+ ', after === '' ? [] : fresh.slice(start, fresh.length - end)),
    ...marked('plain', '  ', old.slice(old.length - end, old.length - end + context)),
  ];
}

/** A patch in the usual notations: a line's first character tells what it does; the headers of files do nothing. */
export function markPatch(patch: string): MarkedLine[] {
  const found: MarkedLine[] = [];
  for (const line of patch.split('\n')) {
    const mark = markOf(line);
    const last = found.at(-1);
    if (last?.mark === mark) {
      last.text += `\n${line}`;
      last.lines += 1;
    } else found.push({ mark, text: line, lines: 1 });
  }
  return found;
}

function markOf(line: string): MarkedLine['mark'] {
  if (/^(\+\+\+|---) /.test(line)) return 'plain';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'plain';
}

function marked(mark: MarkedLine['mark'], sign: string, lines: readonly string[]): MarkedLine[] {
  return lines.length === 0
    ? []
    : [{ mark, text: lines.map((line) => `${sign}${line}`).join('\n'), lines: lines.length }];
}
