import { packageExtension } from '../scripts/package.ts';
import { activityButton, openWorkbench, runCommand } from '../test/support/browser.ts';
import { type BenchEditor, withEditor } from './editor.ts';
import type { Group } from './row.ts';

/**
 * The editor's own measurement, as "Developer: Show Running Extensions" tells it: loading the code and the call of
 * `activate`. Every new page gets a new extension host.
 */
export const activation: Group = {
  name: 'activation',
  about: 'the installed extension in a real editor, as the editor measures it (whole milliseconds)',
  async run(effort) {
    const samples = await withEditor({ vsixes: [await packageExtension()] }, async (opened) => {
      const all: number[] = [];
      for (let round = 0; round <= effort.rounds(10); round++) all.push(await activationIn(opened));
      // The first host reads everything from the disk, and has the editor's own first start beside it.
      return all.slice(1);
    });
    return [{ what: 'load and activate', unit: 'ms', samples, atMost: 50 }];
  },
};

const listMs = 3_000;
const maxTries = 5;

async function activationIn({ editor, browser }: BenchEditor): Promise<number> {
  const page = await openWorkbench(browser, editor.url, { ready: (opened) => activityButton(opened, 'Sallyport') });
  try {
    const row = page.locator('.runtime-extensions-editor .monaco-list-row').filter({ hasText: 'Sallyport' }).first();
    const time = row.locator('.activation-time').filter({ hasText: /\d+\s*ms/ });
    // The list is as it was when it was opened, which may be before the extension was activated.
    for (let tries = 1; ; tries += 1) {
      await runCommand(page, 'workbench.action.showRuntimeExtensions');
      const isThere = await time.waitFor({ timeout: listMs }).then(
        () => true,
        () => false,
      );
      if (isThere || tries === maxTries) break;
      await runCommand(page, 'workbench.action.closeActiveEditor');
    }
    const milliseconds = /(\d+)\s*ms/.exec(await time.innerText())?.[1];
    if (milliseconds === undefined) throw new Error('the editor shows no activation time');
    return Number(milliseconds);
  } finally {
    await page.context().close();
  }
}
