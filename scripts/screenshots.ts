// npm run screenshots: brings about every state in a real editor, by the suites that test them, takes its picture in four themes,
// and puts those that docs/screens.md shows into docs/screens, one sheet for each state, and beside them those of the README,
// each in one theme. `-- --sheets` makes the sheets anew from the pictures that are there.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../test/support/browser.ts';
import { themeNames } from '../test/support/themes.ts';
import { mustRun } from './command.ts';

const root = resolve(import.meta.dirname, '..');
const pictures = join(root, '.cache', 'screenshots');
const sheets = join(root, 'docs', 'screens');
/** Of a whole sheet, in pixels. */
const sheetWidth = 1400;
const minutes = 60_000;

/** The pictures of a state, or the one of a state in a theme, by the names that the suites give them. */
function picturesOf(name: string): string[] {
  return [name, ...[...themeNames, '200', 'light-200'].map((variant) => `${name}-${variant}`)];
}

/** Runs in a page. */
const drawSheet = `async (sources, width) => {
  const images = await Promise.all(sources.map(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    return image;
  }));
  const gap = 12;
  const columns = images[0].width > 600 ? 2 : images.length;
  const scale = Math.min(1, (width - gap * (columns - 1)) / columns / Math.max(...images.map((image) => image.width)));
  const rows = [];
  for (let at = 0; at < images.length; at += columns) rows.push(images.slice(at, at + columns));
  const heights = rows.map((row) => Math.max(...row.map((image) => image.height)) * scale);
  const canvas = document.createElement('canvas');
  const widest = Math.max(...images.map((image) => image.width)) * scale;
  canvas.width = widest * columns + gap * (columns - 1);
  canvas.height = heights.reduce((sum, height) => sum + height, gap * (rows.length - 1));
  const context = canvas.getContext('2d');
  context.fillStyle = '#808080';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  let top = 0;
  rows.forEach((row, index) => {
    row.forEach((image, column) => context.drawImage(image, column * (widest + gap), top, image.width * scale, image.height * scale));
    top += heights[index] + gap;
  });
  return canvas.toDataURL('image/webp', 0.78);
}`;

const texts = await Promise.all(['README.md', 'docs/screens.md'].map((name) => readFile(join(root, name), 'utf8')));
const shown = texts.flatMap((text) => [...text.matchAll(/\((?:docs\/)?screens\/([\w-]+)\.webp\)/g)]);
const states = new Set(shown.flatMap(([, name]) => name ?? []));

if (!process.argv.includes('--sheets')) {
  await rm(pictures, { recursive: true, force: true });
  const env = { ...process.env, SALLYPORT_SCREENSHOTS: 'all' };
  await mustRun(process.execPath, [join(root, 'scripts', 'test.ts'), 'webview', 'browser'], {
    ...{ cwd: root, env, timeout: 60 * minutes },
  });
}
await mkdir(sheets, { recursive: true });
const browser = await launchBrowser();
try {
  const page = await browser.newPage();
  for (const state of states) {
    const files = picturesOf(state)
      .map((name) => join(pictures, `${name}.png`))
      .filter((file) => existsSync(file));
    if (files.length === 0) throw new Error(`No suite takes a picture of ${state}.`);
    await writeFile(join(sheets, `${state}.webp`), await sheetOf(page, files));
    console.log(`${state}: ${files.length} pictures`);
  }
} finally {
  await browser.close();
}

/** Wide pictures two in a row, narrow ones all in one. */
async function sheetOf(page: Page, files: readonly string[]): Promise<Buffer> {
  const sources = await Promise.all(
    files.map(async (file) => `data:image/png;base64,${(await readFile(file)).toString('base64')}`),
  );
  const made = await page.evaluate(`(${drawSheet})(${JSON.stringify(sources)}, ${sheetWidth})`);
  if (typeof made !== 'string') throw new Error('The browser made no picture.');
  return Buffer.from(made.slice(made.indexOf(',') + 1), 'base64');
}
