/** A name at the beginning of a key or in brackets: bare or quoted. */
const firstName = /^\s*(?:\[\[?\s*)?(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))/;
/** What opens or closes a value of several lines, and what may hide such a thing: short strings and comments. */
const opening = /"""|'''|"(?:[^"\\]|\\.)*"|'[^']*'|[[\]{}]|#.*/g;
const closing: Readonly<Record<string, RegExp>> = { '"""': /(?:[^\\]|\\.)*?"""/y, "'''": /.*?'''/y };

/**
 * A TOML text without some of its top-level names: as a key (`notify = […]`, `hooks.x = 1`), as a table (`[name]`,
 * `[name.x]`) and as a list of tables. It reads no values, only where they end: strings of several lines and lists may
 * hold lines that look like tables. A text that is no TOML comes back as no better one.
 */
export function tomlWithout(text: string, names: readonly string[]): string {
  const kept: string[] = [];
  const value = new OpenValue();
  let inTable = false;
  let tableIsKept = true;
  let keyIsKept = true;
  for (const line of text.split('\n')) {
    if (!value.isOpen) {
      const header = /^\s*\[/.test(line);
      const name = nameOf(line);
      const wanted = name === undefined || !names.includes(name);
      if (header) {
        inTable = true;
        tableIsKept = wanted;
      }
      keyIsKept = inTable || wanted;
      if (!header) value.read(line);
    } else {
      value.read(line);
    }
    if (tableIsKept && keyIsKept) kept.push(line);
  }
  return kept.join('\n');
}

function nameOf(line: string): string | undefined {
  const [, double, single, bare] = firstName.exec(line) ?? [];
  return double ?? single ?? bare;
}

/** Whether what was read so far ends within a string of several lines, a list or an inline table. */
class OpenValue {
  #string: string | undefined;
  #depth = 0;

  get isOpen(): boolean {
    return this.#string !== undefined || this.#depth > 0;
  }

  read(line: string): void {
    let at = 0;
    for (;;) {
      const end = this.#string === undefined ? opening : closing[this.#string];
      if (!end) return;
      end.lastIndex = at;
      const token = end.exec(line)?.[0];
      if (token === undefined) return;
      at = end.lastIndex;
      if (this.#string !== undefined) this.#string = undefined;
      else if (token === '"""' || token === "'''") this.#string = token;
      else if (token === '[' || token === '{') this.#depth++;
      else if (token === ']' || token === '}') this.#depth--;
    }
  }
}
