/** A JSON value that is safe to walk: nested no deeper than `maxDepth`, and objects hold own properties only. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

const maxDepth = 64;
/** Stands for what lay deeper. */
const tooDeep = '[nested too deeply to show]';

/**
 * Takes what JSON.parse returned. `cut`: something lay deeper than 64 levels and was replaced, so what is shown is not all
 * there is.
 */
export function toJson(value: unknown): { value: Json; cut: boolean } {
  const state = { cut: false };
  return { value: copy(value, 0, state), cut: state.cut };
}

/** Whether a parsed value is an object with keys. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As `isObject`, for what is known to be JSON. */
export function isJsonObject(value: Json): value is JsonObject {
  return isObject(value);
}

function copy(value: unknown, depth: number, state: { cut: boolean }): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth === maxDepth) {
    state.cut = true;
    return tooDeep;
  }
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1, state));
  // `fromEntries` makes `__proto__` a property like any other.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item, depth + 1, state)]));
}
