/** Where a secret stands in a text: UTF-16 offsets, `end` exclusive. `kind` is what people read in its place. */
export interface Span {
  start: number;
  end: number;
  kind: string;
}

/** How often something of a kind was replaced. */
export interface Found {
  rule: string;
  count: number;
}

/** A text with its secrets replaced. */
export interface Redacted {
  text: string;
  found: Found[];
}

/** What stands in the place of a secret. The shape is known to whoever cuts texts (`output.ts`). */
export function markOf(kind: string): string {
  return `[redacted: ${kind}]`;
}

/** Joins overlapping spans, in order. The first to start names the whole; of two that start together, the first listed. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const ordered = [...spans].sort((a, b) => a.start - b.start);
  const merged: Span[] = [];
  for (const span of ordered) {
    const last = merged.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}

/** Replaces merged spans by their marks and counts them by kind. */
export function replaceSpans(text: string, merged: readonly Span[]): Redacted {
  const counts = new Map<string, number>();
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, kind } of merged) {
    parts.push(text.slice(at, start), markOf(kind));
    at = end;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  parts.push(text.slice(at));
  return { text: parts.join(''), found: [...counts].map(([rule, count]) => ({ rule, count })) };
}
