/** How many cells a text takes in a terminal. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    cells += /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u.test(segment)
      ? 2
      : 1;
  }
  return cells;
}

/** Breaks a text at spaces, and longer words anywhere; every row begins with `indent`. White space at the start is kept. */
export function wrap(text: string, width: number, indent = ''): string[] {
  const room = Math.max(4, width - indent.length);
  return text.split('\n').flatMap((line) => wrapLine(line, room).map((row) => indent + row));
}

function wrapLine(line: string, room: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const piece of line.split(/(?<= )/)) {
    if (cellsOf(row + piece.trimEnd()) <= room) row += piece;
    else {
      if (row.trim() !== '') rows.push(row.trimEnd());
      else if (row !== '') rows.push('');
      row = piece;
      while (cellsOf(row.trimEnd()) > room) {
        const part = firstCells(row, room);
        rows.push(part);
        row = row.slice(part.length);
      }
    }
  }
  rows.push(row.trimEnd());
  return rows;
}

/** As much of the beginning as fits. */
export function firstCells(text: string, room: number): string {
  let fits = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (cellsOf(fits + segment) > room) break;
    fits += segment;
  }
  return fits === '' ? text.slice(0, 1) : fits;
}

/** Two texts at the ends of one row; the left one is cut where both do not fit. */
export function atEnds(left: string, right: string, width: number): string {
  const kept = firstCells(left, Math.max(1, width - cellsOf(right) - 1));
  return kept + ' '.repeat(Math.max(0, width - cellsOf(kept) - cellsOf(right))) + right;
}

/** A frame around rows, which are wrapped to fit. */
export function framed(rows: readonly string[], width: number, corners = '┌┐└┘'): string[] {
  const inner = Math.max(8, width - 5);
  const [leftTop, rightTop, leftBottom, rightBottom] = corners;
  const line = '─'.repeat(inner + 2);
  const body = rows.flatMap((row) => wrap(row.trimStart(), inner, /^ */.exec(row)?.[0].slice(0, inner / 2)));
  return [
    ` ${leftTop ?? ''}${line}${rightTop ?? ''}`,
    ...body.map((row) => ` │ ${row}${' '.repeat(Math.max(0, inner - cellsOf(row)))} │`),
    ` ${leftBottom ?? ''}${line}${rightBottom ?? ''}`,
  ];
}
