/** Where an object lies in some bytes; `to` is behind its closing brace. */
export interface ObjectRange {
  from: number;
  to: number;
}

const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const [quote, backslash, comma, colon, minus] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d];
const literals = ['true', 'false', 'null'].map((word) => Buffer.from(word));
const escapes = new Set(Buffer.from('"\\/bfnrt'));

/**
 * Finds the JSON objects (RFC 8259) that lie whole among other bytes, outermost ones only, in order. What is quoted in a
 * string of such an object is not looked at.
 *
 * The cost is linear. A reading attempt that fails leaves behind which braces it took for the beginning of an inner object:
 * an attempt from there would go the same way, so none is made. What remains are braces that the failed attempt saw inside
 * its strings. There the two attempts disagree about every quote, and a backslash ends the one that is outside a string, so
 * no byte is read by more than two of them.
 */
export function findJsonObjects(bytes: Uint8Array): ObjectRange[] {
  const reader = new ObjectReader(bytes);
  const found: ObjectRange[] = [];
  /** Where objects end that lie in something that turned out to be none. */
  const inner = new Map<number, number>();
  for (let at = bytes.indexOf(openBrace); at !== -1; at = bytes.indexOf(openBrace, at)) {
    const objects = reader.readFrom(at);
    const whole = objects[0]?.from === at ? objects[0] : undefined;
    found.push(...objects);
    if (!whole) for (const { from, to } of objects) inner.set(from, to);
    at = whole?.to ?? inner.get(at) ?? at + 1;
  }
  let end = 0;
  return found.sort((a, b) => a.from - b.from).filter(({ to }) => to > end && (end = to) > 0);
}

/** What may come next. */
type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd';

/** Reads objects, once from every brace that it can take for the beginning of one. */
class ObjectReader {
  readonly #bytes: Uint8Array;
  /** 1 where an attempt began, or took a brace for the beginning of an inner object. */
  readonly #tried: Uint8Array;
  #at = 0;
  /** Where the containers begin that are open. */
  #open: number[] = [];
  /** Objects that were closed, without those inside another of them. */
  #closed: ObjectRange[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#tried = new Uint8Array(bytes.length);
  }

  /** The object that begins here, or what could be read inside it when it is none. Nothing for a brace tried before. */
  readFrom(from: number): readonly ObjectRange[] {
    if (this.#tried[from] === 1) return [];
    this.#at = from;
    if (this.#open.length > 0) this.#open = [];
    if (this.#closed.length > 0) this.#closed = [];
    let expected: Expected | undefined = 'value';
    do {
      this.#skipSpace();
      expected = this.#readToken(expected);
    } while (expected !== undefined && this.#open.length > 0);
    return this.#closed;
  }

  /** Reads what is expected and tells what is expected behind it, or undefined when something else is there. */
  #readToken(expected: Expected): Expected | undefined {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) return undefined;
    const mayEnd = expected !== 'value' && expected !== 'key' && expected !== 'colon';
    if (mayEnd && (byte === closeBrace || byte === closeBracket)) return this.#close(byte, expected);
    switch (expected) {
      case 'colon':
        return this.#skip(byte === colon) ? 'value' : undefined;
      case 'commaOrEnd':
        return this.#skip(byte === comma) ? (this.#isInObject() ? 'key' : 'value') : undefined;
      case 'key':
      case 'keyOrEnd':
        return this.#readString() ? 'colon' : undefined;
      case 'value':
      case 'valueOrEnd':
        return this.#readValue(byte);
    }
  }

  #readValue(byte: number): Expected | undefined {
    if (byte === openBrace || byte === openBracket) {
      if (byte === openBrace) this.#tried[this.#at] = 1;
      this.#open.push(this.#at++);
      return byte === openBrace ? 'keyOrEnd' : 'valueOrEnd';
    }
    return this.#readString() || this.#readNumber() || this.#readLiteral() ? 'commaOrEnd' : undefined;
  }

  #close(byte: number, expected: Expected): Expected | undefined {
    const isObject = this.#isInObject();
    const wrong = isObject ? expected === 'valueOrEnd' : expected === 'keyOrEnd';
    if (wrong || byte !== (isObject ? closeBrace : closeBracket)) return undefined;
    const from = this.#open.pop() ?? 0;
    this.#at++;
    if (isObject) {
      while ((this.#closed.at(-1)?.from ?? -1) > from) this.#closed.pop();
      this.#closed.push({ from, to: this.#at });
    }
    return 'commaOrEnd';
  }

  #isInObject(): boolean {
    return this.#bytes[this.#open.at(-1) ?? -1] === openBrace;
  }

  #skip(isThere: boolean): boolean {
    if (isThere) this.#at++;
    return isThere;
  }

  #skipSpace(): void {
    for (let byte = this.#bytes[this.#at]; byte === 0x20 || (byte !== undefined && byte >= 9 && byte <= 13);) {
      if (byte === 11 || byte === 12) return;
      byte = this.#bytes[++this.#at];
    }
  }

  #readString(): boolean {
    if (this.#bytes[this.#at] !== quote) return false;
    for (let at = this.#at + 1; at < this.#bytes.length; at++) {
      const byte = this.#bytes[at] ?? 0;
      if (byte === quote) {
        this.#at = at + 1;
        return true;
      }
      if (byte < 0x20) return false;
      if (byte !== backslash) continue;
      const escaped = this.#bytes[++at] ?? 0;
      if (escaped === 0x75 && isHex(this.#bytes.subarray(at + 1, at + 5))) at += 4;
      else if (!escapes.has(escaped)) return false;
    }
    return false;
  }

  #readNumber(): boolean {
    const from = this.#at;
    this.#skip(this.#bytes[this.#at] === minus);
    const isNumber =
      (this.#skip(this.#bytes[this.#at] === 0x30) || this.#skipDigits()) &&
      (!this.#skip(this.#bytes[this.#at] === 0x2e) || this.#skipDigits()) &&
      (!this.#skip(isOneOf(this.#bytes[this.#at], 'eE')) ||
        (this.#skip(isOneOf(this.#bytes[this.#at], '+-')), this.#skipDigits()));
    if (!isNumber) this.#at = from;
    return isNumber;
  }

  #skipDigits(): boolean {
    const from = this.#at;
    for (let byte = this.#bytes[this.#at]; byte !== undefined && byte >= 0x30 && byte <= 0x39;) {
      byte = this.#bytes[++this.#at];
    }
    return this.#at > from;
  }

  #readLiteral(): boolean {
    const rest = this.#bytes.subarray(this.#at, this.#at + 5);
    const word = literals.find((each) => each.equals(rest.subarray(0, each.length)));
    this.#at += word?.length ?? 0;
    return word !== undefined;
  }
}

function isHex(bytes: Uint8Array): boolean {
  return bytes.length === 4 && bytes.every((byte) => isOneOf(byte, '0123456789abcdefABCDEF'));
}

function isOneOf(byte: number | undefined, characters: string): boolean {
  return byte !== undefined && byte !== 0 && characters.includes(String.fromCharCode(byte));
}
