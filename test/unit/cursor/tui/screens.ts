import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readScreen, type Screen } from '../../../../src/cursor/tui/prompts.ts';

export const screensFolder = resolve(import.meta.dirname, '../../../fixtures/cursor/screens');

/** The rows of a screen in test/fixtures/cursor/screens. */
export function screenRows(name: string): string[] {
  return readFileSync(resolve(screensFolder, `${name}.txt`), 'utf8').split('\n');
}

export function screen(name: string): Screen {
  return readScreen(screenRows(name));
}
