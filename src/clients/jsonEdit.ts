import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';

/**
 * Adds an item as the last of the object (under `key`) or array at `path`, written in the style of what surrounds it. Every
 * other byte stays. `json` is valid and has something at `path`.
 */
export function appendItem(json: string, path: JSONPath, value: unknown, key?: string): string {
  const container = nodeAt(json, path);
  const last = container.children?.at(-1);
  const isOneLine = !json.slice(container.offset, last?.offset).includes('\n');
  if (last && isOneLine) return splice(json, endOf(last), endOf(last), `, ${written(value, key)}`);
  const { unit, eol } = styleOf(json);
  const outer = indentationAt(json, container.offset);
  const inner = last ? indentationAt(json, last.offset) : outer + unit;
  const item = written(value, key, unit).replaceAll('\n', eol + inner);
  return last
    ? splice(json, endOf(last), endOf(last), `,${eol}${inner}${item}`)
    : splice(json, container.offset + 1, endOf(container) - 1, `${eol}${inner}${item}${eol}${outer}`);
}

/** Takes out the property or item at `path`, with the comma that parted it from its neighbour. Every other byte stays. */
export function removeItem(json: string, path: JSONPath): string {
  const value = nodeAt(json, path);
  const item = value.parent?.type === 'property' ? value.parent : value;
  const container = item.parent;
  if (!container) throw new Error('The top cannot be taken out.');
  const children = container.children ?? [];
  const at = children.indexOf(item);
  const [before, after] = [children[at - 1], children[at + 1]];
  if (before) return splice(json, endOf(before), endOf(item), '');
  if (after) return splice(json, item.offset, after.offset, '');
  return splice(json, container.offset + 1, endOf(container) - 1, '');
}

function nodeAt(json: string, path: JSONPath): Node {
  const root = parseTree(json);
  const node = root && findNodeAtLocation(root, path);
  if (!node) throw new Error(`There is nothing at ${path.join('.') || 'the top'}.`);
  return node;
}

const endOf = ({ offset, length }: Node) => offset + length;

function splice(text: string, from: number, to: number, insert: string): string {
  return text.slice(0, from) + insert + text.slice(to);
}

function written(value: unknown, key?: string, unit?: string): string {
  const text = JSON.stringify(value, null, unit);
  return key === undefined ? text : `${JSON.stringify(key)}: ${text}`;
}

function indentationAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** As the file is written already: its first indentation and its line ends. */
function styleOf(text: string): { unit: string; eol: string } {
  return { unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
}
