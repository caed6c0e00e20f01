/** The part of `vscode.l10n` that makes texts: a parameter, so that what a card says can be tested without an editor. */
export interface L10n {
  t(message: string, ...values: (string | number)[]): string;
  /** Translations by English text, with `{0}` for what is filled in; undefined where the editor speaks English. */
  readonly bundle?: Readonly<Record<string, string>> | undefined;
}

interface Template {
  pattern: RegExp;
  /** In the order in which they stand in the English text. */
  places: string[];
  translation: string;
}

/** With less of its own in it, a template would fit anything. */
const minOwnLetters = 8;
const templatesOf = new WeakMap<object, Template[]>();

/**
 * What another room said, in the person's language. The other rooms speak English, as do models and the journal; here each
 * sentence, or run of sentences, that is one of the bundle's texts is replaced. What is not known stays as it is.
 */
export function said(text: string, l10n: L10n): string {
  const { bundle } = l10n;
  if (!bundle) return text;
  return text
    .split('\n')
    .map((line) => sayLine(line, bundle))
    .join('\n');
}

function sayLine(line: string, bundle: Readonly<Record<string, string>>): string {
  const sentences = line.split(/(?<=[.:!?]) (?=\S)/);
  const told: string[] = [];
  for (let from = 0; from < sentences.length;) {
    let to = sentences.length;
    let known: string | undefined;
    for (; to > from && known === undefined; to--) known = lookUp(sentences.slice(from, to).join(' '), bundle);
    told.push(known ?? sentences[from] ?? '');
    from = known === undefined ? from + 1 : to + 1;
  }
  return told.join(' ');
}

function lookUp(text: string, bundle: Readonly<Record<string, string>>): string | undefined {
  if (Object.hasOwn(bundle, text)) return bundle[text];
  for (const { pattern, places, translation } of templates(bundle)) {
    const found = pattern.exec(text);
    if (!found) continue;
    const values = new Map(places.map((place, index) => [place, sayLine(found[index + 1] ?? '', bundle)]));
    return translation.replace(/\{\d\}/g, (place) => values.get(place) ?? place);
  }
  return undefined;
}

/** Those with the most text of their own first: they say the most. */
function templates(bundle: Readonly<Record<string, string>>): Template[] {
  const made = templatesOf.get(bundle);
  if (made) return made;
  const own = (english: string) => english.replaceAll(/\{\d\}|\W/g, '').length;
  const fresh = Object.entries(bundle)
    .filter(([english]) => /\{\d\}/.test(english) && own(english) >= minOwnLetters)
    .sort(([one], [two]) => own(two) - own(one))
    .map(([english, translation]) => templateOf(english, translation));
  templatesOf.set(bundle, fresh);
  return fresh;
}

function templateOf(english: string, translation: string): Template {
  const parts = english.split(/(\{\d\})/);
  const source = parts
    .map((part, index) => (index % 2 === 0 ? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : '(.+?)'))
    .join('');
  return { pattern: new RegExp(`^${source}$`), places: parts.filter((_, index) => index % 2 === 1), translation };
}
