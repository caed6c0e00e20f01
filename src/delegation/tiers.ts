import type { EngineId, Tier } from '../protocol/model.ts';
import type { Choice } from './task.ts';

/** A worker that could take a task: a rung of the ladder with the caller's overrides applied. */
export interface Candidate extends Tier {
  level?: number;
}

/** The ladders there are. Rung n is at index n - 1. */
export interface Ladders {
  tiers: readonly Tier[];
  fastTiers: readonly Tier[];
  allowCursorFallback: boolean;
}

interface Ladder {
  tiers: readonly Tier[];
  allowCursorFallback: boolean;
}

/** What the caller fixed, which narrows who may take over. */
interface Wish {
  choice: Choice;
  model?: string;
  effort?: string;
}

/**
 * Who may take a task, best first. The first is what was asked for. The others are there only when the caller left the
 * engine open: an engine named by the caller, or a model (which is one engine's word), lets nobody else take over.
 * Returns an empty list for a level that does not exist.
 */
export function candidatesFor(wish: Wish, ladders: Ladders): Candidate[] {
  const ladder = { tiers: tiersFor(wish.choice, ladders), allowCursorFallback: ladders.allowCursorFallback };
  const asked = askedFor(wish.choice, ladder.tiers);
  if (!asked) return [];
  const first = { ...asked, ...(wish.model && { model: wish.model }), ...(wish.effort && { effort: wish.effort }) };
  if (wish.choice.by === 'engine' || wish.model) return [first];
  return [first, ...others(first, ladder).map((tier) => ({ ...tier, ...(wish.effort && { effort: wish.effort }) }))];
}

/** The ladder that a choice is made on. */
export function tiersFor(choice: Choice, { tiers, fastTiers }: Ladders): readonly Tier[] {
  return choice.by === 'level' && choice.fast ? fastTiers : tiers;
}

function askedFor(choice: Choice, tiers: readonly Tier[]): Candidate | undefined {
  switch (choice.by) {
    case 'level':
      return rungs(tiers).find((rung) => rung.level === choice.level);
    case 'engine':
      return rungs(tiers).find((rung) => rung.engine === choice.engine) ?? { engine: choice.engine };
    case 'tier':
      return { ...choice.tier, ...(choice.level !== undefined && { level: choice.level }) };
  }
}

/** The other engines, each by its own rung nearest to the one asked for (the stronger one when two are as near). */
function others(first: Candidate, { tiers, allowCursorFallback }: Ladder): Candidate[] {
  const level = first.level ?? 1;
  const nearest = rungs(tiers).sort((a, b) => distance(a.level, level) - distance(b.level, level) || b.level - a.level);
  const seen = new Set<EngineId>([first.engine]);
  const found: Candidate[] = [];
  for (const rung of nearest) {
    if (seen.has(rung.engine) || (rung.engine === 'cursor' && !allowCursorFallback)) continue;
    seen.add(rung.engine);
    found.push(rung);
  }
  if (allowCursorFallback && !seen.has('cursor')) found.push({ engine: 'cursor' });
  return found;
}

const rungs = (tiers: readonly Tier[]) => tiers.map((tier, index) => ({ ...tier, level: index + 1 }));
const distance = (a: number, b: number) => Math.abs(a - b);
