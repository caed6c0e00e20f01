/**
 * Whether a text matches a pattern in which `*` stands for any characters and `?` for one. Costs at most the product of both
 * lengths.
 */
export function matchesWildcards(text: string, pattern: string): boolean {
  let at = 0;
  let star: { pattern: number; text: number } | undefined;
  for (let from = 0; from < text.length;) {
    const wanted = pattern[at];
    if (wanted === '*') star = { pattern: ++at, text: from };
    else if (wanted !== undefined && (wanted === '?' || wanted === text[from])) {
      at++;
      from++;
    } else if (star) {
      at = star.pattern;
      from = ++star.text;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}

/**
 * Whether a path matches a pattern whose `**` stands for any number of folders, and whose other wildcards stay within a name.
 * Both with forward slashes.
 */
export function matchesPath(path: string, pattern: string): boolean {
  return matchesParts(path.split('/'), pattern.split('/'));
}

function matchesParts(names: readonly string[], patterns: readonly string[]): boolean {
  /** Which beginnings of the path, by their number of names, match the patterns so far. */
  let reached = new Set([0]);
  for (const pattern of patterns) {
    const next = new Set<number>();
    for (const count of reached) {
      if (pattern === '**') for (let more = count; more <= names.length; more++) next.add(more);
      else if (count < names.length && matchesWildcards(names[count] ?? '', pattern)) next.add(count + 1);
    }
    reached = next;
  }
  return reached.has(names.length);
}
