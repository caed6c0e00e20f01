/** A row of the screen without what frames it. */
export interface Row {
  /** Without frame and outer white space; empty unless `kind` is `text`. */
  text: string;
  /** `bar`: the half blocks above and below the composer. `rule`: lines that separate or frame. */
  kind: 'blank' | 'rule' | 'bar' | 'text';
}

/** Prompts of cursor-agent fill less; a screen is as high as its terminal. */
const maxRows = 250;
/** A joined row of a wrapped command may be as long as the command. */
const maxRowLength = 20_000;

const frame = '│┃║';
const ruleCharacters = new Set('─━═╌┄┌┐└┘╭╮╰╯├┤┬┴┼│┃║');
const barCharacters = new Set('▄▀');
const minRuleLength = 4;

/**
 * The bottom of a screen, as `tmux capture-pane -p` or a terminal's buffer gives its rows; blank rows at the end are left
 * out. The cost is bounded by what is kept, however high or wide the screen is.
 */
export function bottomRows(rows: readonly string[]): Row[] {
  let end = rows.length;
  while (end > 0 && (rows[end - 1] ?? '').trim() === '') end -= 1;
  return rows.slice(Math.max(0, end - maxRows), end).map(toRow);
}

/** White space folded to single spaces, none at the ends. */
export function fold(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ');
}

function toRow(row: string): Row {
  const bare = row.slice(0, maxRowLength).trim();
  const text = unframed(bare);
  if (text === '') return { text, kind: 'blank' };
  if (bare.length >= minRuleLength && consistsOf(bare, barCharacters)) return { text: '', kind: 'bar' };
  if (bare.length >= minRuleLength && consistsOf(bare, ruleCharacters)) return { text: '', kind: 'rule' };
  return { text, kind: 'text' };
}

function consistsOf(text: string, characters: ReadonlySet<string>): boolean {
  for (const character of text) if (character !== ' ' && !characters.has(character)) return false;
  return true;
}

function unframed(text: string): string {
  const from = text !== '' && frame.includes(text.charAt(0)) ? 1 : 0;
  const to = text.length > from && frame.includes(text.charAt(text.length - 1)) ? text.length - 1 : text.length;
  return text.slice(from, to).trim();
}
