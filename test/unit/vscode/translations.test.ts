import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod';

const root = resolve(import.meta.dirname, '..', '..', '..');
const texts = z.record(z.string(), z.string());
const readTexts = (path: string) => texts.parse(JSON.parse(readFileSync(join(root, path), 'utf8')));

/** Names, and words that are the same in a language. Anything else that reads like English was forgotten. */
const sameInAll = ['Sallyport', 'Sallyport: {0}'];
const sameIn: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Agent',
    'Branch',
    'Chat',
    'Sandbox',
    'Status',
    'Terminal',
    'Tool',
    'Version {0}: {1}',
    '{0} s',
    'Sallyport in {0}',
    'in {0}',
  ],
  ja: [],
};

/** What a translation keeps as it is: places for values, links, code and line ends. */
const kept = /\{\d\}|\]\([^)]*\)|`[^`]*`|\n/g;
const keptIn = (text: string) => (text.match(kept) ?? []).sort();

const languagesOf = (files: readonly string[]) => files.map((file) => basename(file).split('.').at(-2)).sort();

describe('translations', () => {
  for (const [source, pattern] of [
    ['package.nls.json', 'package.nls.*.json'],
    ['l10n/bundle.l10n.json', 'l10n/bundle.l10n.*.json'],
  ] as const) {
    const english = readTexts(source);
    const files = globSync(pattern, { cwd: root });

    it(`of ${source} are there for every language that is offered`, () => {
      assert.deepEqual(languagesOf(files), Object.keys(sameIn));
    });

    for (const file of files) {
      describe(file, () => {
        const translated = readTexts(file);

        it('has every text, and no other', () => {
          assert.deepEqual(Object.keys(translated).sort(), Object.keys(english).sort());
        });

        it('leaves none empty, or in English', () => {
          const same = [...sameInAll, ...(sameIn[languagesOf([file])[0] ?? ''] ?? [])];
          for (const [key, text] of Object.entries(translated)) {
            assert.notEqual(text.trim(), '', key);
            if (!same.includes(english[key] ?? '')) assert.notEqual(text, english[key], key);
          }
        });

        it('keeps places for values, links and code', () => {
          for (const [key, text] of Object.entries(translated)) {
            assert.deepEqual(keptIn(text), keptIn(english[key] ?? ''), `${key}: ${text}`);
          }
        });
      });
    }
  }
});
