import { spawnSync } from 'node:child_process';
import { answerInput, editorTab, runCommand, screenshot, toast } from '../support/browser.ts';
import { approved, assertOutcome, assertUntouched, useCursorEditor, y } from '../support/cursorEditor.ts';
import { run } from '../support/promptedKinds.ts';

const within = ['bwrap', '--die-with-parent', '--dev-bind', '/', '/'] as const;
const full = (state: string) => [
  ...[...within, '--size', String(64 * 1024), '--tmpfs', state, '--'],
  ...['sh', '-c', 'cat /dev/zero > "$0/ballast"; exec "$@"', state],
];
const readOnly = (state: string) => [...within, '--ro-bind', state, state, '--'];

function needsMounts(this: Mocha.Context): void {
  const [program, ...args] = within;
  if (spawnSync(program, [...args, '--', 'true']).status === 0) return;
  console.log('bubblewrap cannot mount anything here: these checks are left out');
  this.skip();
}

describe('a window whose state folder is full', function () {
  this.timeout(120_000);
  before(needsMounts);
  const editor = useCursorEditor('state-full', () => Promise.resolve({ agents: ['codex'], around: full }));

  it('answers on cards as ever', async () => {
    const { cards, start } = editor();
    const simulator = await start('full', { steps: [run('make full'), run('make more')] });
    await cards.press(cards.card('make full'), 'Approve');
    await cards.press(cards.card('make more'), 'Approve');
    await assertOutcome(simulator, { decisions: [approved, approved], keys: [y, y] });
    await cards.historyLine('Approved · make full').waitFor();
  });

  it('delegates, shows the result and says that it will not last', async () => {
    const { page } = editor();
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, 'No room [[scenario: answer]]');
    await editorTab(page, 'No room').waitFor({ timeout: 60_000 });
    await page.locator('.view-line').filter({ hasText: 'The answer is forty-two.' }).waitFor();
    await page
      .locator('.view-line')
      .filter({ hasText: /not.kept.for.later.\(ENOSPC/ })
      .waitFor();
    await screenshot(page, 'state-full-dark');
  });
});

describe('a window whose state folder is read-only', function () {
  this.timeout(120_000);
  before(needsMounts);
  const editor = useCursorEditor('state-read-only', () => Promise.resolve({ agents: ['codex'], around: readOnly }));

  it('says so once, with what to do', async () => {
    await toast(editor().page, /cannot be written.*SALLYPORT_STATE_DIR.*forgotten with this window/).waitFor();
    await screenshot(editor().page, 'state-read-only-dark');
  });

  it('types nothing, since it can reserve no terminal, and says on the card where to answer', async () => {
    const { cards, start } = editor();
    const simulator = await start('locked', { steps: [run('make locked')] });
    const card = cards.card('make locked');
    await cards.press(card, 'Approve');
    await card.getByText(/could not be reserved.*answer in it/).waitFor();
    await cards.button(card, 'Try Again').waitFor();
    assertUntouched(simulator);
    await screenshot(editor().page, 'state-read-only-card-dark');
    await simulator.press('y');
    await cards.historyLine('Answered in the terminal · make locked').waitFor();
    await assertOutcome(simulator, { decisions: [approved], keys: [y] });
  });

  it('delegates, shows the result and says that it will not last', async () => {
    const { page } = editor();
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, 'No pen [[scenario: edit]]');
    await editorTab(page, 'No pen').waitFor({ timeout: 60_000 });
    await page
      .locator('.view-line')
      .filter({ hasText: /not.kept.for.later.\(E/ })
      .waitFor();
  });
});
