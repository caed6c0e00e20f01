import type { RunRecord } from '../../journal/entry.ts';
import { handleOf } from '../runs/runNode.ts';

/** Scheme of the read-only documents that show results. */
export const resultScheme = 'sallyport-run';

/** What a document shows of a run: its result, the same with links for the editor's Markdown preview, or its steps. */
export const documentForms = ['result', 'rendered', 'transcript'] as const;
export type DocumentForm = (typeof documentForms)[number];

/** Path of a run's document: the last part is what its tab says. */
export function resultPath(record: Pick<RunRecord, 'engine' | 'runId' | 'title'>, prefix = ''): string {
  const words = `${prefix} ${record.title}`.match(/[\p{L}\p{N}_-]+/gu)?.join(' ') ?? record.engine;
  const short = words.length <= 40 ? words : `${words.slice(0, 40).replace(/ \S*$/, '')}…`;
  return `/${handleOf(record)}/${short}.md`;
}

/** Reads a path made by `resultPath`: `handle` names the run, `runId` its id alone. Undefined for any other path. */
export function runOfAddress(path: string): { handle: string; runId: string } | undefined {
  const [, handle, runId] = /^\/([a-z]+:([A-Za-z0-9-]+))\/[^/]+\.md$/.exec(path) ?? [];
  return handle !== undefined && runId !== undefined ? { handle, runId } : undefined;
}

/** What the document at an address shows; the address's query says so. */
export function formOfAddress({ query }: { query: string }): DocumentForm {
  return documentForms.find((form) => form === query) ?? 'result';
}
