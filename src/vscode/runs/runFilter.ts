import type { RunRecord, RunStatus } from '../../journal/entry.ts';
import type { EngineId } from '../../protocol/model.ts';

/** Which runs the Runs view shows. An empty part lets everything through. */
export interface RunFilter {
  /** Words that must all occur in title, model, branch, session or the path of a changed file; case does not matter. */
  text: string;
  statuses: readonly RunStatus[];
  engines: readonly EngineId[];
}

export const noFilter: RunFilter = { text: '', statuses: [], engines: [] };

export function isFiltering({ text, statuses, engines }: RunFilter): boolean {
  return text.trim() !== '' || statuses.length > 0 || engines.length > 0;
}

/** Whether a filter lets a run through. */
export function passes(record: RunRecord, { text, statuses, engines }: RunFilter): boolean {
  if (statuses.length > 0 && !statuses.includes(record.status)) return false;
  if (engines.length > 0 && !engines.includes(record.engine)) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const searched = textOf(record).toLowerCase();
  return words.every((word) => searched.includes(word));
}

const textOf = ({ title, engine, model, branch, sessionId, runId, files }: RunRecord) =>
  [title, engine, model, branch, sessionId, runId, ...files.map(({ path }) => path)].join('\n');
