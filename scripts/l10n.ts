// npm run l10n: writes l10n/bundle.l10n.json from the code, takes out of each language what is no longer said, and prints what
// it has no translation for (exit code 1 then).
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { textsOfWindow } from './texts.ts';

const root = resolve(import.meta.dirname, '..');
const bundle = z.record(z.string(), z.string());
const write = (file: string, texts: readonly (readonly [string, string])[]) =>
  writeFileSync(resolve(root, file), `${JSON.stringify(Object.fromEntries(texts), undefined, 2)}\n`);

const texts = textsOfWindow();
write(
  'l10n/bundle.l10n.json',
  texts.map((text) => [text, text]),
);
for (const file of globSync('l10n/bundle.l10n.*.json', { cwd: root })) {
  const known = new Map(Object.entries(bundle.parse(JSON.parse(readFileSync(resolve(root, file), 'utf8')))));
  write(
    file,
    texts.flatMap((text) => {
      const translation = known.get(text);
      return translation === undefined ? [] : [[text, translation] as const];
    }),
  );
  const missing = texts.filter((text) => !known.has(text));
  if (missing.length > 0) process.exitCode = 1;
  for (const text of missing) console.log(`${file} has no ${JSON.stringify(text)}`);
}
