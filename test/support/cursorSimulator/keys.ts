import { StringDecoder } from 'node:string_decoder';
import type { Understood } from './log.ts';

/** Bytes that arrived together. `heeded` tells of each key or text whether the agent takes it. */
export interface Received {
  atMs: number;
  hex: string;
  inputs: { input: Understood; heeded: boolean }[];
}

const escape = '\u001b';
/** After Escape, a byte that follows within this time belongs to it: Alt, or a longer sequence. */
const escapeMs = 50;
/** Keys that follow closer are dropped, as are keys that arrive together. */
const burstMs = 100;

const sequences: readonly (readonly [sequence: string, key: string])[] = [
  ['\u001b[Z', 'Shift+Tab'],
  ...['Up', 'Down', 'Right', 'Left'].flatMap((key, index) => {
    const letter = 'ABCD'.charAt(index);
    return [
      [`\u001b[${letter}`, key],
      [`\u001bO${letter}`, key],
    ] as const;
  }),
  ['\r', 'Enter'],
  ['\t', 'Tab'],
  ['\u007f', 'Backspace'],
];

/** Reads what a terminal sends, with the agent's way to lose keys. */
export class KeyReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #isTyping: () => boolean;
  readonly #receive: (received: Received) => void;
  #held: { atMs: number; timer: NodeJS.Timeout } | undefined;
  #lastMs = -Infinity;

  /** `isTyping`: whether letters go into an input line now. */
  constructor(isTyping: () => boolean, receive: (received: Received) => void) {
    this.#isTyping = isTyping;
    this.#receive = receive;
  }

  /** `atMs` grows from call to call. */
  push(chunk: Buffer, atMs: number): void {
    const text = this.#decoder.write(chunk);
    if (text === '') return;
    const held = this.#held;
    this.#held = undefined;
    clearTimeout(held?.timer);
    if (held) this.#emit(escape + text, held.atMs);
    else if (text === escape) {
      this.#held = { atMs, timer: setTimeout(() => this.#releaseEscape(), escapeMs) };
    } else this.#emit(text, atMs);
  }

  #releaseEscape(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#emit(escape, held.atMs);
  }

  #emit(text: string, atMs: number): void {
    const isTyping = this.#isTyping();
    const inputs = parseKeys(text, isTyping);
    const isBurst = atMs - this.#lastMs < burstMs;
    this.#lastMs = atMs;
    const heeds = (input: Understood, index: number): boolean => {
      if (isTyping) return 'text' in input || (index === 0 && !isBurst);
      return inputs.length === 1 && 'key' in input && !isBurst;
    };
    this.#receive({
      atMs,
      hex: Buffer.from(text).toString('hex'),
      inputs: inputs.map((input, index) => ({ input, heeded: heeds(input, index) })),
    });
  }
}

/** What bytes that arrived together mean. Letters are text where they are typed into something, or where there are several. */
function parseKeys(text: string, isTyping: boolean): Understood[] {
  const found: Understood[] = [];
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const known = sequences.find(([sequence]) => rest.startsWith(sequence));
    const printable = /^[^\p{Cc}]+/u.exec(rest)?.[0];
    if (known) found.push({ key: known[1] });
    else if (printable !== undefined) {
      const isKey = !isTyping && /^.$/u.test(printable);
      found.push(isKey ? { key: printable === ' ' ? 'Space' : printable } : { text: printable });
    } else found.push({ key: controlName(rest) });
    at += known?.[0].length ?? printable?.length ?? (rest.startsWith(escape) ? Math.min(2, rest.length) : 1);
  }
  return found;
}

function controlName(rest: string): string {
  if (rest.startsWith(escape)) return rest.length === 1 ? 'Escape' : `Alt+${letterOf(rest.charAt(1))}`;
  return letterOf(rest.charAt(0));
}

function letterOf(character: string): string {
  const code = character.charCodeAt(0);
  if (character === escape) return 'Escape';
  return code < 32 ? `Ctrl+${String.fromCharCode(code + 64)}` : character;
}
