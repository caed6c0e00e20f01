import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { packageExtension } from '../scripts/package.ts';
import { createSampleWorkspace } from '../scripts/sampleWorkspace.ts';
import { activityButton, launchBrowser, openWorkbench, runCommand } from '../test/support/browser.ts';
import { type Editor, installExtension, startEditor, writeUserSettings } from '../test/support/editorHost.ts';
import type { Group } from './row.ts';

/**
 * The editor's own measurement, as "Developer: Show Running Extensions" tells it: loading the code and the call of
 * `activate`. Every new page gets a new extension host.
 */
export const activation: Group = {
  name: 'activation',
  about: 'the installed extension in a real editor, as the editor measures it (whole milliseconds)',
  async run(effort) {
    const samples = await withEditor(async (editor, browser) => {
      const all: number[] = [];
      for (let round = 0; round <= effort.rounds(10); round++) all.push(await activationIn(editor, browser));
      // The first host reads everything from the disk, and has the editor's own first start beside it.
      return all.slice(1);
    });
    return [{ what: 'load and activate', unit: 'ms', samples, atMost: 50 }];
  },
};

async function withEditor<T>(use: (editor: Editor, browser: Browser) => Promise<T>): Promise<T> {
  const vsix = await packageExtension();
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-bench-'));
  try {
    const place = { userDataDir: join(folder, 'profile'), extensionsDir: join(folder, 'extensions') };
    await createSampleWorkspace(join(folder, 'greeter'));
    await writeUserSettings(place.userDataDir, {});
    await installExtension(vsix, place.userDataDir, place.extensionsDir);
    const env = { SALLYPORT_STATE_DIR: join(folder, 'state') };
    const editor = await startEditor({ ...place, folder: join(folder, 'greeter'), env });
    try {
      const browser = await launchBrowser();
      try {
        return await use(editor, browser);
      } finally {
        await browser.close();
      }
    } finally {
      await editor.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function activationIn(editor: Editor, browser: Browser): Promise<number> {
  const page = await openWorkbench(browser, editor.url, { ready: (opened) => activityButton(opened, 'Sallyport') });
  try {
    await runCommand(page, 'workbench.action.showRuntimeExtensions');
    const row = page.locator('.runtime-extensions-editor .monaco-list-row').filter({ hasText: 'Sallyport' }).first();
    const time = row.locator('.activation-time').filter({ hasText: /\d+\s*ms/ });
    await time.waitFor();
    const milliseconds = /(\d+)\s*ms/.exec(await time.innerText())?.[1];
    if (milliseconds === undefined) throw new Error('the editor shows no activation time');
    return Number(milliseconds);
  } finally {
    await page.context().close();
  }
}
