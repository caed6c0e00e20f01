/** A file that a patch touches. `hunks` in their order; `contents` for a new file. */
export interface PatchedFile {
  path: string;
  kind: 'update' | 'add' | 'delete';
  hunks: Hunk[];
}

/** Lines to be found one after the other, and what they become. */
interface Hunk {
  before: string[];
  after: string[];
}

/** Lines that name a file, in the agents' own notation (`*** Update File: x`). */
const ownHeader = /^\*\*\* (Update|Add|Delete) File: (.+)$/;
const kinds = { Update: 'update', Add: 'add', Delete: 'delete' } as const;

/** The files of a patch, in the agents' own notation or as a unified diff. Empty when it is neither. Pure. */
export function readPatch(patch: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  let oldPath = '';
  for (const line of patch.replaceAll('\r\n', '\n').split('\n')) {
    const own = ownHeader.exec(line);
    const file = files.at(-1);
    if (own?.[1] !== undefined && own[2] !== undefined) {
      files.push({ path: own[2].trim(), kind: kinds[own[1] as keyof typeof kinds], hunks: [] });
    } else if (line.startsWith('--- ')) oldPath = diffPath(line);
    else if (line.startsWith('+++ ')) files.push(unifiedFile(oldPath, diffPath(line)));
    else if (line.startsWith('@@')) file?.hunks.push({ before: [], after: [] });
    else if (file && !/^(\*\*\* |diff |index |\\)/.test(line)) addLine(file, line);
  }
  for (const file of files) file.hunks = file.hunks.map(withoutTrailingEmptyLine);
  return files;
}

/** A file's text with its part of a patch applied; undefined when a hunk is found nowhere, or in more than one place. Pure. */
export function applyHunks(text: string, { hunks, kind }: PatchedFile): string | undefined {
  if (kind === 'delete') return '';
  if (kind === 'add') return hunks.flatMap(({ after }) => after).join('\n');
  const lines = text.split('\n');
  let from = 0;
  for (const { before, after } of hunks) {
    const places = placesOf(before, lines, from);
    const [place] = places;
    if (place === undefined || places.length > 1) return undefined;
    lines.splice(place, before.length, ...after);
    from = place + after.length;
  }
  return lines.join('\n');
}

function unifiedFile(before: string, after: string): PatchedFile {
  if (after === '/dev/null') return { path: before, kind: 'delete', hunks: [] };
  return { path: after, kind: before === '/dev/null' ? 'add' : 'update', hunks: [] };
}

/** `+++ b/src/x.ts<tab>date` */
function diffPath(line: string): string {
  const path = line.slice(4).split('\t', 1)[0]?.trim() ?? '';
  return path.replace(/^[ab]\//, '');
}

function addLine(file: PatchedFile, line: string): void {
  const hunk = file.hunks.at(-1) ?? { before: [], after: [] };
  if (file.hunks.length === 0) file.hunks.push(hunk);
  const text = line.slice(1);
  if (!line.startsWith('+')) hunk.before.push(text);
  if (!line.startsWith('-')) hunk.after.push(text);
}

/** The patch's own last line end makes an empty line that belongs to no file. */
function withoutTrailingEmptyLine({ before, after }: Hunk): Hunk {
  const isTail = before.at(-1) === '' && after.at(-1) === '' && before.length + after.length > 2;
  return isTail ? { before: before.slice(0, -1), after: after.slice(0, -1) } : { before, after };
}

/** At most two: one is enough to apply, two are too many. A hunk of additions alone has its place at the end. */
function placesOf(wanted: readonly string[], lines: readonly string[], from: number): number[] {
  if (wanted.length === 0) return [lines.length];
  const places: number[] = [];
  for (let at = from; at + wanted.length <= lines.length && places.length < 2; at += 1) {
    if (wanted.every((line, index) => lines[at + index] === line)) places.push(at);
  }
  return places;
}
