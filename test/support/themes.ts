import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { profileOf } from './editorHost.ts';

/** User settings of each theme that the views must look right in. */
export const themes = {
  dark: { 'workbench.colorTheme': 'Dark Modern' },
  light: { 'workbench.colorTheme': 'Light Modern' },
  highContrastDark: { 'workbench.colorTheme': 'Default High Contrast' },
  highContrastLight: { 'workbench.colorTheme': 'Default High Contrast Light' },
} as const;

type ThemeName = keyof typeof themes;
export const themeNames: readonly ThemeName[] = ['dark', 'light', 'highContrastDark', 'highContrastLight'];

/** How the editor marks the kind of its theme. */
export const themeClasses: Readonly<Record<ThemeName, string>> = {
  dark: 'vs-dark',
  light: 'vs',
  highContrastDark: 'hc-black',
  highContrastLight: 'hc-light',
};

/** Gives the editor of a page another theme by its settings, which leaves focus, menus and dialogs as they are. */
export async function showTheme(page: Page, theme: ThemeName): Promise<void> {
  for (const folder of ['User', 'Machine']) {
    const file = join(profileOf(page.url()), folder, 'settings.json');
    const settings: unknown = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify(Object.assign({}, settings, themes[theme]), null, 2));
  }
  await page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
}
