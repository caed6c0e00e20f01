/** One line of a CLI's output as JSON; undefined when it is none. A line that was cut is closed where it was cut. */
export function readJson(line: string, cut: boolean): unknown {
  const whole = parse(line);
  return whole === undefined && cut ? parseCut(line) : whole;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads what is there of a JSON text that was cut. Without this a long answer would be lost, and an earlier message taken
 * for the conclusion. The member that was cut keeps its beginning when it is a string; else it is left out.
 */
function parseCut(text: string): unknown {
  const { closers, insideString, end, safeEnd } = scan(text);
  const whole = parse(text.slice(0, end) + (insideString ? '"' : '') + closers);
  if (whole !== undefined || safeEnd === 0) return whole;
  const wholeMembers = text.slice(0, safeEnd);
  return parse(wholeMembers + scan(wholeMembers).closers);
}

/**
 * How a JSON text stands where it was cut: the brackets that close it, whether a string is open, where the last whole
 * character ends (before an escape that was cut in two), and up to where every member is whole.
 */
function scan(text: string): { closers: string; insideString: boolean; end: number; safeEnd: number } {
  const open: string[] = [];
  let insideString = false;
  let end = text.length;
  let safeEnd = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (insideString) {
      if (character === '\\') {
        const length = text[at + 1] === 'u' ? 6 : 2;
        if (at + length > text.length) end = at;
        at += length - 1;
      } else if (character === '"') insideString = false;
    } else if (character === '"') insideString = true;
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      safeEnd = at + 1;
    } else if (character === '}' || character === ']') open.pop();
    else if (character === ',') safeEnd = at;
  }
  return { closers: open.reverse().join(''), insideString, end, safeEnd };
}
