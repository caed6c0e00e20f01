/** A text that holds secrets, the secrets, and what has to be left: `[*]` where a mark has to stand. */
export interface SecretCase {
  text: string;
  secrets: string[];
  expected: string;
}

const alphabets: Record<string, string> = {
  '': 'aB3dEfG7hIj2KlM9nOpQ5rStU8vWxY1z',
  '#': '3f7868ab0e3c75d9',
  '^': 'Q7WX2JK5ZR4TMN6P',
};

/** Reads the corpus's notation (test/fixtures/secrets/README.md). */
export function secretCases(corpus: string): SecretCase[] {
  const lines = corpus.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
  return lines.map((line) => {
    const full = line.replace(/~([#^]?)(\d+)/g, (_, set: string, length: string) =>
      madeUp(alphabets[set] ?? '', Number(length)),
    );
    return {
      text: full.replace(/[⟦⟧]/g, ''),
      secrets: [...full.matchAll(/⟦([^⟧]*)⟧/g)].map((match) => match[1] ?? ''),
      expected: full.replace(/⟦[^⟧]*⟧/g, '[*]'),
    };
  });
}

/** The same text with every run, that no scanner of the repository mistakes for a secret because it is nowhere written. */
function madeUp(alphabet: string, length: number): string {
  return Array.from({ length }, (_, index) => alphabet[(index * 7 + Math.floor(index / 16)) % alphabet.length]).join(
    '',
  );
}
