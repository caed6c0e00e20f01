import { parseDocument } from 'yaml';

/** What a persona's file says. */
export interface PersonaText {
  /** By the front matter, which only names and describes. */
  name?: string;
  description?: string;
  /** The Markdown behind the front matter: all that a worker is told. */
  body: string;
}

const frontMatter = /^\uFEFF?---[ \t]*\r?\n(?<front>[^]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/;

/**
 * Reads the format of Claude Code's agents: YAML between lines of `---`, then Markdown. Front matter that never ends leaves
 * no body, lest it pass for one.
 */
export function readPersona(text: string): PersonaText {
  const match = frontMatter.exec(text);
  const body = (match ? text.slice(match[0].length) : /^\uFEFF?---[ \t]*\r?\n/.test(text) ? '' : text).trim();
  const front = match?.groups?.front ?? '';
  const [name, description] = [textOf('name', front, 200), textOf('description', front, 1_000)];
  return { ...(name && { name }), ...(description && { description }), body };
}

/**
 * The value of one key at the top, where it is text. Each is parsed by itself: what Claude Code writes as a description is
 * often no valid YAML, and the name beside it still counts. `maxChars` bounds the parser, which is slow at nested nonsense.
 */
function textOf(key: string, front: string, maxChars: number): string | undefined {
  const entry = new RegExp(`^${key}[ \\t]*:.*(?:\\n(?:[ \\t].*)?)*`, 'm').exec(front)?.[0].slice(0, maxChars) ?? '';
  const value = parseDocument(entry, { schema: 'failsafe', strict: false, logLevel: 'silent' }).get(key);
  return typeof value === 'string' ? value.trim() : undefined;
}
