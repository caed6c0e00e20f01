/** The lines of a file by the name the worker knows it by. */
export type Sources = ReadonlyMap<string, readonly string[]>;

/** What is left of an answer of `file:line: source` lines once each was looked up. Counts are lines of the answer. */
export interface CheckedLines {
  /** Every line once, in the order of the answer, as the file has it. */
  lines: string[];
  /** What the worker says it did not find, in its words. */
  notFound: string[];
  /** The text is in the file, at another line than was said. */
  renumbered: number;
  /** The line is there, with other white space. */
  respaced: number;
  /** The file does not have the line, or has it so often that nobody can tell which was meant. */
  dropped: number;
  /** What is no line of a file at all: talk. */
  talk: number;
}

/** A line of an answer that claims to be line `number` (from 1) of a file. `text` is what stands behind the colon. */
interface Claim {
  file: string;
  number: number;
  text: string;
}

interface Found {
  number: number;
  source: string;
  respaced: boolean;
}

/** As the worker was told to say it. */
const notFoundLine = /^not found: ?(.+)$/i;
const maxNotFound = 20;

/**
 * Checks an answer against the files. `folder` is what an absolute path in the answer may begin with. Nothing but white
 * space is ever taken over from a file, so a secret that was redacted from the answer cannot come back by this way.
 */
export function checkLines(answer: string, sources: Sources, folder: string): CheckedLines {
  const names = [...sources.keys()].sort((a, b) => b.length - a.length);
  const claims: Claim[] = [];
  const notFound: string[] = [];
  let talk = 0;
  for (const line of answer.split(/\r?\n/)) {
    const claim = claimOf(line, names, folder);
    const missing = notFoundLine.exec(line.trim())?.[1];
    if (claim) claims.push(claim);
    else if (missing !== undefined && notFound.length < maxNotFound) notFound.push(missing);
    else if (!/^\s*(?:```.*|--)?\s*$/.test(line)) talk += 1;
  }
  const found = locateAll(claims, sources);
  const lines = claims.flatMap(({ file }, index) => {
    const at = found[index];
    return at ? [`${file}:${at.number}: ${at.source}`] : [];
  });
  return {
    lines: [...new Set(lines)],
    notFound,
    renumbered: claims.filter(({ number }, index) => found[index] && found[index].number !== number).length,
    respaced: found.filter((at) => at?.respaced).length,
    dropped: found.filter((at) => !at).length,
    talk,
  };
}

function claimOf(line: string, names: readonly string[], folder: string): Claim | undefined {
  let bare = line
    .trimStart()
    .replace(/^[-*] /, '')
    .replace(/^`/, '');
  if (bare.startsWith(`${folder}/`)) bare = bare.slice(folder.length + 1);
  if (bare.startsWith('./')) bare = bare.slice(2);
  const file = names.find((name) => bare.startsWith(`${name}:`));
  const match = file === undefined ? undefined : /^(\d{1,9}):(.*)$/s.exec(bare.slice(file.length + 1));
  if (file === undefined || match?.[1] === undefined) return undefined;
  return { file, number: Number(match[1]), text: match[2] ?? '' };
}

/** What became of each claim. One that could be several lines of its file is moved as far as the one before it, or after it. */
function locateAll(claims: readonly Claim[], sources: Sources): (Found | undefined)[] {
  const placesOf = indexed(sources);
  const sure = claims.map((claim): Found | undefined => {
    const here = readAt(claim, claim.number, sources);
    if (here) return here;
    const places = placesOf(claim);
    return places.length === 1 && places[0] !== undefined ? readAt(claim, places[0], sources) : undefined;
  });
  const before = lastSure(claims, sure);
  const after = lastSure([...claims].reverse(), [...sure].reverse()).reverse();
  return claims.map((claim, index) => {
    const shift = before[index] ?? after[index];
    if (sure[index] || shift === undefined) return sure[index];
    const shifted = claim.number + shift;
    return placesOf(claim).includes(shifted) ? readAt(claim, shifted, sources) : undefined;
  });
}

/** For each claim how far the last sure one of its file before it was moved. */
function lastSure(claims: readonly Claim[], sure: readonly (Found | undefined)[]): (number | undefined)[] {
  const shifts = new Map<string, number>();
  return claims.map(({ file, number }, index) => {
    const last = shifts.get(file);
    const found = sure[index];
    if (found) shifts.set(file, found.number - number);
    return last;
  });
}

/** The line at `number` when it is the one that was claimed, up to white space and what was redacted. */
function readAt({ file, text }: Claim, number: number, sources: Sources): Found | undefined {
  const source = sources.get(file)?.[number - 1];
  if (source === undefined) return undefined;
  // `grep -n` puts no blank behind the colon, and trailing blanks get lost on the way.
  const bare = text.replace(/^ /, '');
  if ([text, bare].some((said) => said.trimEnd() === source.trimEnd())) return { number, source, respaced: false };
  if (squeeze(text) === squeeze(source)) return { number, source, respaced: true };
  return isRedactionOf(text, source) ? { number, source: bare, respaced: false } : undefined;
}

const mark = /\[redacted: [^\]\n]{1,68}\]/;

function isRedactionOf(text: string, source: string): boolean {
  const [first = '', ...rest] = squeeze(text).split(mark);
  if (rest.length === 0) return false;
  const line = squeeze(source);
  let at = first.length;
  if (!line.startsWith(first)) return false;
  for (const piece of rest) {
    const next = line.indexOf(piece, at);
    if (next < 0) return false;
    at = next + piece.length;
  }
  return line.endsWith(rest.at(-1) ?? '');
}

const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Finds the numbers of the lines that read like a claim. A file is indexed when it is first asked about. */
function indexed(sources: Sources): (claim: Claim) => readonly number[] {
  const indexes = new Map<string, Map<string, number[]>>();
  return ({ file, text }) => {
    let index = indexes.get(file);
    if (!index) {
      index = new Map();
      for (const [at, line] of (sources.get(file) ?? []).entries()) {
        const key = squeeze(line);
        const places = index.get(key);
        if (places) places.push(at + 1);
        else index.set(key, [at + 1]);
      }
      indexes.set(file, index);
    }
    return index.get(squeeze(text)) ?? [];
  };
}
