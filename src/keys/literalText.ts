/** C0, DEL, C1, and halves of surrogate pairs, which no terminal can be sent. */
const untypable = /[\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/u;

/**
 * Refuses a text that holds what would act as a key: Tab, Escape, a line feed. Throws with what the person can do about it.
 */
export function assertLiteral(text: string): void {
  const found = untypable.exec(text)?.[0].codePointAt(0);
  if (found === undefined) return;
  const code = `U+${found.toString(16).toUpperCase().padStart(4, '0')}`;
  throw new Error(
    `The text holds a control character (${code}), which would act as a key. Take it out; nothing was typed.`,
  );
}

/** UTF-8 in pieces of at most `maxBytes` bytes (4 or more), none of which cuts a character. */
export function utf8Pieces(text: string, maxBytes: number): Buffer[] {
  const bytes = Buffer.from(text, 'utf8');
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length;) {
    let to = Math.min(from + maxBytes, bytes.length);
    while (to < bytes.length && isContinuation(bytes[to])) to -= 1;
    pieces.push(bytes.subarray(from, to));
    from = to;
  }
  return pieces;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
