import assert from 'node:assert/strict';
import { claude } from '../../../src/engines/claude.ts';
import { codex } from '../../../src/engines/codex.ts';
import { cursor } from '../../../src/engines/cursor.ts';
import type { Engine, SignIn } from '../../../src/engines/engine.ts';
import { grok } from '../../../src/engines/grok.ts';

/** What each CLI printed when it was asked, and what that means. Codex 0.171, Claude Code 2.1.332 and Grok 1.0.41 as they ran. */
const answers: readonly [Engine, string, SignIn][] = [
  [codex, 'Not logged in\n', { state: 'signedOut' }],
  [codex, 'API key configured - sk-test-***ghijk\n', { state: 'signedIn', how: 'API key' }],
  [codex, 'Logged in using ChatGPT\n', { state: 'signedIn', how: 'ChatGPT' }],
  [codex, 'error: unrecognized subcommand\n', { state: 'unknown' }],
  [claude, '{\n  "loggedIn": false,\n  "authMethod": "none",\n  "loginExpiresAt": null\n}\n', { state: 'signedOut' }],
  [
    claude,
    'a warning\n{"loggedIn": true, "authMethod": "api_key", "apiKeySource": "ANTHROPIC_API_KEY"}\n',
    { state: 'signedIn', how: 'ANTHROPIC_API_KEY', account: undefined },
  ],
  [
    claude,
    '{"loggedIn": true, "email": "ada@example.com"}',
    { state: 'signedIn', how: undefined, account: 'ada@example.com' },
  ],
  [claude, 'error: unknown command', { state: 'unknown' }],
  [grok, 'You are not authenticated.\n\nDefault model: grok-4.6\n', { state: 'signedOut' }],
  [grok, 'You are using XAI_API_KEY.\n\nDefault model: grok-4.6\n', { state: 'signedIn', how: 'XAI_API_KEY' }],
  [grok, "Model 'mock' is using its own API key.\n\nDefault model: mock\n", { state: 'signedIn', how: 'API key' }],
  [grok, 'You are logged in with grok.com.\n', { state: 'signedIn' }],
  [grok, '', { state: 'unknown' }],
  [
    cursor,
    '{"status": "authenticated", "isAuthenticated": true, "userInfo": {"email": "ada@example.com"}}',
    { state: 'signedIn', account: 'ada@example.com' },
  ],
  [cursor, '{"isAuthenticated": true}', { state: 'signedIn', account: undefined }],
  [cursor, '{"isAuthenticated": false}', { state: 'signedOut' }],
  [cursor, '\n ✓ Logged in as ada@example.com\n', { state: 'signedIn', account: 'ada@example.com' }],
  [cursor, 'Not logged in\n', { state: 'signedOut' }],
  [cursor, "error: unknown option '--format'", { state: 'unknown' }],
];

describe('who is signed in', () => {
  for (const [engine, text, meaning] of answers) {
    it(`${engine.title}: ${JSON.stringify(text.slice(0, 50))}`, () => {
      assert.deepEqual(engine.signIn.read(text), meaning);
    });
  }

  it('is not asked of a Codex with a model provider of its own', () => {
    const read = (text: string) => codex.signIn.ownService?.read(text);
    assert.equal(read('model = "x"\nmodel_provider = "azure"\n[tools]\n'), 'azure');
    assert.equal(read("model_provider='local'"), 'local');
    assert.equal(read('model_provider = "openai"\n'), undefined);
    assert.equal(read('[profiles.work]\nmodel_provider = "azure"\n'), undefined, 'a profile is not what runs use');
    assert.equal(read(''), undefined);
  });
});
