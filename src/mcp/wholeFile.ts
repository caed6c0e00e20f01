/** A file as far as a request for all of it can be told: its name as the request may spell it, and how many lines it has. */
export interface Extent {
  name: string;
  lines: number;
}

/** Words that narrow nothing down: a request made of these alone (and of file names) asks for everything. */
const emptyWords: ReadonlySet<string> = new Set(
  [
    'a all an and any as at back bring can cat complete content contents copy could code display document dump each entire',
    'every everything exact exactly fetch file files for from full get give i in is it its let line lines like list load log me',
    'module my need now of on open out output page paste please print provide raw read return script see send show source',
    'text that the their them there these this those to total try unabridged us verbatim view want what whatever whole with',
    'would write you your',
  ]
    .join(' ')
    .split(' '),
);

const fromTopToBottom =
  /\b(?:from )?(?:the )?(?:start|top|beginning|first line) (?:down )?(?:to|until|through) (?:the )?(?:very )?(?:end|bottom|last line|eof)\b/g;

/** "The whole file", whatever else is said, unless it is denied ("not the whole file") or about a name or a path. */
const wholeFile =
  /(?<!\b(?:not|without|never|don't|no) (?:want |need |return |show |give )?(?:the )?)\b(?:whole|entire|complete|full)(?: \w+)? (?:file|files)\b(?!['’]|[ -]?(?:names?|paths?|headers?|lists?|types?|extensions?|modes?))/;

const rangeFromFirst = /(?:\blines? ?|^\W*)0*1 ?(?:-|–|—|\.\.+|to|through|until) ?(?:line |the )?(\d+|end|last|eof)\b/;

/** Whether `want` asks for all of `files` and not for some of their lines. */
export function asksForWholeFile(want: string, files: readonly Extent[]): boolean {
  const asked = files
    .flatMap(({ name }) => [name, name.slice(name.lastIndexOf('/') + 1)])
    .reduce((text, name) => text.replaceAll(name, ' '), want)
    .toLowerCase()
    .replace(/\s+/g, ' ');
  if (wholeFile.test(asked)) return true;
  const last = rangeFromFirst.exec(asked)?.[1];
  if (last !== undefined) return !(Number(last) < Math.max(...files.map(({ lines }) => lines)));
  const words = asked.replace(fromTopToBottom, ' ').match(/[\p{L}\p{N}_$']+/gu) ?? [];
  return words.every((word) => emptyWords.has(word));
}
