import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { approved, assertOutcome, useCursorEditor, y } from '../support/cursorEditor.ts';
import { eventually } from '../support/processes/runs.ts';
import { run } from '../support/promptedKinds.ts';

describe('a crash of the extension host in the middle of an answer', function () {
  this.timeout(120_000);
  const editor = useCursorEditor('host-crash');

  const locks = () => readdir(join(editor().installed.folder, 'state', 'locks'));

  it('leaves the request on its card, where it is answered again', async () => {
    const { cards, start, installed } = editor();
    const simulator = await start('crash', { steps: [run('make crash'), run('make next')] });
    const [host = 0] = await installed.processes('--type=extensionHost');
    await cards.rejectBecause(cards.card('make crash'), 'not now');
    // The reason is typed into what the first key opened, a moment later.
    await simulator.logged(({ event }) => event === 'input');
    process.kill(host, 'SIGKILL');
    assert.equal((await locks()).length, 1, 'the terminal was reserved');
    await cards.rejectBecause(cards.card('make crash'), 'not now either');
    await cards.press(cards.card('make next'), 'Approve');
    await assertOutcome(simulator, {
      decisions: [{ kind: 'rejected', reason: 'not now either' }, approved],
      keys: [{ key: 'Escape' }, { text: 'not now either' }, { key: 'Enter' }, y],
    });
    await eventually('no terminal is reserved', async () => (await locks()).length === 0);
  });
});
