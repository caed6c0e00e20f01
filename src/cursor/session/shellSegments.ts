/** What a shell does not simply run: substitutions, groups, redirections, escapes, comments, assignments, control words. */
const beyondWords = /[`$(){}<>\\#!~\u0000-\u0008\u000b-\u001f\u007f]/;
const quoted = /'([^']*)'|"([^"]*)"/g;
const assignment = /^[A-Za-z_]\w*\+?=/;
const controlWords = new Set([
  'if',
  'for',
  'while',
  'until',
  'case',
  'select',
  'function',
  'then',
  'do',
  'else',
  'time',
]);

/**
 * The simple commands that a command line chains, each as its words. Undefined when it holds anything else, or cannot be
 * read: then nobody may claim to know what runs.
 */
export function shellSegments(command: string): string[][] | undefined {
  const segments: string[][] = [];
  let words: string[] = [];
  for (const token of tokens(command)) {
    if (token === undefined) return undefined;
    if (token.kind === 'word') words.push(token.text);
    else {
      if (words.length > 0) segments.push(words);
      words = [];
    }
  }
  if (words.length > 0) segments.push(words);
  const isPlain = segments.every(([first = '']) => !assignment.test(first) && !controlWords.has(first));
  return segments.length > 0 && isPlain ? segments : undefined;
}

interface Token {
  kind: 'word' | 'operator';
  text: string;
}

/** Yields undefined, and nothing more, at what is beyond words. */
function* tokens(command: string): Generator<Token | undefined> {
  const pattern = /[ \t]+|(&&|\|\||\|&|[;&|\n])|((?:'[^']*'|"[^"]*"|[^\s'";&|])+)/y;
  while (pattern.lastIndex < command.length) {
    const match = pattern.exec(command);
    if (!match) {
      yield undefined;
      return;
    }
    const [, operator, word] = match;
    if (operator !== undefined) yield { kind: 'operator', text: operator };
    if (word === undefined) continue;
    // Within single quotes, and nowhere else, everything stands for itself.
    if (beyondWords.test(word.replace(quoted, '$2'))) {
      yield undefined;
      return;
    }
    yield { kind: 'word', text: word.replace(quoted, '$1$2') };
  }
}
