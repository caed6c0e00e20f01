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
  const { closers, insideString, lastComma } = scan(text);
  const body = insideString ? `${text.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '')}"` : text;
  const whole = parse(body + closers);
  if (whole !== undefined || lastComma === -1) return whole;
  const upToComma = text.slice(0, lastComma);
  return parse(upToComma + scan(upToComma).closers);
}

/** How a JSON text stands at its end: the brackets that close it, whether a string is open, where its last comma is. */
function scan(text: string): { closers: string; insideString: boolean; lastComma: number } {
  const open: string[] = [];
  let insideString = false;
  let lastComma = -1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (insideString) {
      if (character === '\\') at++;
      else if (character === '"') insideString = false;
    } else if (character === '"') insideString = true;
    else if (character === '{') open.push('}');
    else if (character === '[') open.push(']');
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',') lastComma = at;
  }
  return { closers: open.reverse().join(''), insideString, lastComma };
}
