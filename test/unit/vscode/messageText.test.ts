import assert from 'node:assert/strict';
import { messageText } from '../../../src/vscode/messageText.ts';

/** How the editor finds links in notifications. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe('message text', () => {
  it('leaves no link for the editor to run', () => {
    for (const text of [
      '[ok](command:workbench.action.quit)',
      '[a](command:x "t")',
      '[[x](https://e.vil)](command:y)',
    ]) {
      assert.match(text, link);
      assert.doesNotMatch(messageText(text), link);
    }
  });

  it('is one line', () => {
    assert.equal(messageText('a\nb\u001b[31m'), 'a b\\x1b[31m');
  });
});
