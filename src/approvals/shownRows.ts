const maxRows = 15;

/** What the person gets to see of a terminal whose prompt was not answered: its last rows that hold something. */
export function lastRows(rows: readonly string[]): string[] {
  return rows.filter((row) => row.trim() !== '').slice(-maxRows);
}

/** Whether two looks show the same, but for what moves by itself: signs that it works, bars, and times that go by. */
export function isSameScreen(one: readonly string[], other: readonly string[]): boolean {
  const still = (rows: readonly string[]): string =>
    rows.join(' ').replace(/\d+(?:\.\d+)?\s?[smh%]\b|[\u2800-\u28ff\u2580-\u259f\s]/g, '');
  return still(one) === still(other);
}
