import type { Row } from './rows.ts';

/** A row of a prompt that says which keys choose it, such as `→ Run (once) (y)`. */
export interface Offer {
  /** As the row names them, in lower case: `y`, `esc`, `shift+tab`. */
  keys: readonly string[];
  label: string;
  marked: boolean;
}

/** The offers that stand together, and the rows from the first to the last of them. */
export interface OfferBlock {
  offers: Offer[];
  first: number;
  last: number;
}

/** What stands before the row that is marked. */
export const markers = '→❯▶›';

const namedKeys = new Set(['esc', 'escape', 'enter', 'return', 'tab', 'shift+tab', 'space']);
/** `Run (once) (y) (enter)` */
const maxGroups = 3;
/** A choice that names a file or a command to allow is the longest. */
const maxOfferLength = 5000;
/** A label that is longer than its row goes on in the next ones. */
const maxLabelRows = 6;

/**
 * The keys in the round brackets at the end of a row. Undefined when it ends with none. The words before are left alone:
 * they differ by version.
 */
export function parseOffer(text: string): Offer | undefined {
  if (text.length > maxOfferLength) return undefined;
  const keys: string[] = [];
  let label = text;
  for (let groups = 0; groups < maxGroups; groups += 1) {
    const group = lastGroup(label);
    if (!group) break;
    keys.unshift(...group.keys);
    label = group.before;
  }
  if (keys.length === 0) return undefined;
  const marked = label !== '' && markers.includes(label.charAt(0));
  return { keys, label: (marked ? label.slice(1) : label).trim(), marked };
}

/** The last offers on the screen that stand together; a row without keys among them belongs to the offer below. */
export function lastOffers(rows: readonly Row[]): OfferBlock | undefined {
  const last = rows.findLastIndex((_, index) => offerAt(rows, index));
  if (last === -1) return undefined;
  const offers: Offer[] = [];
  let first = last;
  let index = last;
  for (let wrapped = 0; index >= 0 && wrapped <= maxLabelRows; index -= 1) {
    if (rows[index]?.kind !== 'text') break;
    const offer = offerAt(rows, index);
    if (offer) offers.unshift(offer);
    if (offer) first = firstRowOf(rows, index);
    wrapped = offer ? 0 : wrapped + 1;
  }
  return { offers, first, last };
}

/** The offer that ends in a row; its brackets may have begun in the row before. */
function offerAt(rows: readonly Row[], index: number): Offer | undefined {
  const row = rows[index];
  if (row?.kind !== 'text') return undefined;
  const before = firstRowOf(rows, index) === index ? '' : `${rows[index - 1]?.text ?? ''} `;
  return parseOffer(before + row.text);
}

/** The row where the brackets of a row's offer begin, or the one before when the row holds nothing else. */
function firstRowOf(rows: readonly Row[], index: number): number {
  const text = rows[index]?.text ?? '';
  const opens = text.indexOf('(');
  const isTail = opens === 0 || (opens === -1 && text.endsWith(')') && text.length <= 40);
  return isTail && rows[index - 1]?.kind === 'text' ? index - 1 : index;
}

function lastGroup(text: string): { keys: string[]; before: string } | undefined {
  if (!text.endsWith(')')) return undefined;
  const open = text.lastIndexOf('(');
  if (open === -1 || text.length - open > 60) return undefined;
  const keys = text
    .slice(open + 1, -1)
    .toLowerCase()
    .split(/\s+or\s+/)
    .map((key) => key.trim());
  if (!keys.every((key) => namedKeys.has(key) || /^[a-z]$/.test(key))) return undefined;
  return { keys, before: text.slice(0, open).trimEnd() };
}
