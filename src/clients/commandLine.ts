/** A command as the person could type it into a shell of their platform, to look at or to copy. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => quote(word, platform)).join(' ');
}

/** Any text as one word of a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function quote(word: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return /^[\w@+=:,.\\/-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word);
}
