import { engineIds } from '../protocol/engineIds.ts';
import type { SessionHandle } from '../protocol/model.ts';

/** A session as people and callers write it: `engine:id`. */
export function formatHandle({ engine, id }: SessionHandle): string {
  return `${engine}:${id}`;
}

/** Ids of sessions and runs: what every CLI here prints is a UUID or a similar word, and nothing that could be a flag. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * Reads `engine:id`, forgiving the blanks, backticks and the `session_id:` label that come along when it is copied.
 * Returns undefined when it is no handle.
 */
export function parseHandle(text: string): SessionHandle | undefined {
  const bare = text
    .trim()
    .replace(/^session_id:\s*/i, '')
    .replace(/^[`'"]+|[`'"]+$/g, '');
  const at = bare.indexOf(':');
  if (at < 0) return undefined;
  const engine = engineIds.find((known) => known === bare.slice(0, at));
  const id = bare.slice(at + 1);
  return engine && idPattern.test(id) ? { engine, id } : undefined;
}
