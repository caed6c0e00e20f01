import type { Dialect } from './conversation.ts';

/** Where a request goes: which API, and the scenario its path names. */
export interface Route {
  readonly target: Dialect | 'models' | 'countTokens' | 'images' | 'unknown';
  readonly scenario: string | undefined;
}

/** Reads `/s/<scenario>/v1/...` and `/v1/...`; the query is ignored, and so is whether `/v1` is there. */
export function routeOf(url: string): Route {
  const path = new URL(url, 'http://loopback').pathname;
  const prefixed = /^\/s\/([^/]+)(\/.*)$/.exec(path);
  const rest = prefixed?.[2] ?? path;
  return { target: targetOf(rest), scenario: prefixed?.[1] };
}

function targetOf(path: string): Route['target'] {
  if (path.endsWith('/responses')) return 'responses';
  if (path.endsWith('/chat/completions')) return 'chat';
  if (path.endsWith('/messages/count_tokens')) return 'countTokens';
  if (path.endsWith('/messages')) return 'messages';
  if (/\/images\/(?:generations|edits)$/.test(path)) return 'images';
  return /\/models(\/[^/]*)?$/.test(path) ? 'models' : 'unknown';
}

/** A scenario by name and the pause before each part of its replies, in milliseconds. */
export interface Selection {
  readonly name: string;
  readonly delayMs: number | undefined;
}

/**
 * The scenario of a request: a `[[scenario: name]]` directive in the last user turn, else the model `mock-<name>`, else the
 * path, else `fallback`. A name may end in `-<n>ms`, as in `edit-300ms`.
 */
export function selectScenario(from: {
  prompt: string;
  model: string;
  path: string | undefined;
  fallback: string;
}): Selection {
  const directive = [...from.prompt.matchAll(/\[\[scenario:\s*([\w-]+)\s*\]\]/g)].at(-1)?.[1];
  const model = /^mock-(.+)$/.exec(from.model)?.[1];
  const full = directive ?? model ?? from.path ?? from.fallback;
  const timed = /^(.+)-(\d+)ms$/.exec(full);
  return timed?.[1] === undefined ? { name: full, delayMs: undefined } : { name: timed[1], delayMs: Number(timed[2]) };
}
