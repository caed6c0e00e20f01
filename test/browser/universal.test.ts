import assert from 'node:assert/strict';
import { packageOne } from '../../scripts/package.ts';
import { activityButton, button, runCommand, screenshot, toast } from '../support/browser.ts';
import { useCursorEditor } from '../support/cursorEditor.ts';
import { writeCursorLauncher } from '../support/cursorLauncher.ts';

describe('the package for all platforms, which has no terminals of its own', function () {
  this.timeout(180_000);
  const editor = useCursorEditor('universal', async (folder) => {
    const launcher = await writeCursorLauncher(folder, {
      onPrompt: [[{ step: 'calls', calls: [{ args: { command: 'make deploy' }, leadMs: 0 }] }]],
    });
    return {
      vsix: await packageOne('universal'),
      settings: { 'sallyport.cursor.path': launcher.program, 'sallyport.environment': launcher.environment },
    };
  });
  const inTerminal = (text: string) => editor().page.locator('.xterm-rows').filter({ hasText: text });

  it('starts the agent in an ordinary terminal, and says what to do to answer on the cards', async () => {
    const { page } = editor();
    await runCommand(page, 'sallyport.startCursorAgent');
    await inTerminal('Plan, search, build anything').waitFor({ timeout: 60_000 });
    const notice = toast(page, 'The Cursor agent runs in an ordinary terminal');
    await notice.waitFor({ timeout: 30_000 });
    await notice.getByText(`install the package of Sallyport for ${process.platform}-${process.arch}`).waitFor();
    await screenshot(page, 'universal-terminal-dark');
    await button(notice, 'Show Extension').click();
    await page.locator('.extensions-viewlet .extension-list-item').filter({ hasText: 'Sallyport' }).waitFor();
  });

  it('is a terminal to type in, whose request is shown and answered there', async () => {
    const { page, cards } = editor();
    await activityButton(page, 'Sallyport').click();
    // Until it is shown the view takes the focus.
    await cards.empty.waitFor({ timeout: 30_000 });
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('deploy', { delay: 200 });
    await inTerminal('deploy').waitFor();
    await page.waitForTimeout(600);
    await page.keyboard.press('Enter');
    await inTerminal('make deploy').waitFor({ timeout: 30_000 });
    const card = cards.card('make deploy');
    await card.getByText('Answer there.', { exact: false }).waitFor({ timeout: 30_000 });
    assert.equal(await card.getByRole('button', { name: 'Approve' }).count(), 0);
    await screenshot(page, 'universal-request-dark');
  });
});
