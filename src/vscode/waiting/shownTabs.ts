/** Whether all that a tab compares lies at these addresses. `input` is the editor's: of one comparison, or of several. */
export function showsOnly(input: unknown, addresses: ReadonlySet<string>): boolean {
  const shown = pairsIn(input).flatMap(({ original, modified }) => [original, modified]);
  return shown.length > 0 && shown.every((address) => addresses.has(String(address)));
}

interface Pair {
  original: unknown;
  modified: unknown;
}

/** Several comparisons in one tab are `textDiffs` of a class that the editor does not declare in its stable interface. */
function pairsIn(input: unknown): Pair[] {
  if (isPair(input)) return [input];
  if (typeof input !== 'object' || input === null || !('textDiffs' in input)) return [];
  const { textDiffs } = input;
  return Array.isArray(textDiffs) && textDiffs.every(isPair) ? textDiffs : [];
}

function isPair(value: unknown): value is Pair {
  return typeof value === 'object' && value !== null && 'original' in value && 'modified' in value;
}
