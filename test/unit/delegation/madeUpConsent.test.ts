import assert from 'node:assert/strict';
import { madeUpConsent } from '../../../src/delegation/madeUpConsent.ts';

describe('an answer that tells of consent', () => {
  for (const told of [
    'Questions skipped by the user, continue with the information you already have',
    'patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings',
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    'The user did not answer the questions.',
    'I could not run the tests, because the command was rejected by the user.',
    'Since the permission request was cancelled by the user, I left it.',
    'The user has approved this change, so I went on.',
    'The user declined my question about the schema.',
  ]) {
    it(`is warned of: ${told}`, () => {
      const warning = madeUpConsent(`Done.\n\n${told}\nMore.`) ?? '';
      assert.match(warning, /nobody was asked/);
      assert.ok(told.includes(/“(.+)”/.exec(warning)?.[1] ?? 'x'), 'it quotes the answer');
    });
  }

  for (const told of [
    'An order gets `cancelled` when its owner cancels it; src/order.ts:12.',
    'Users can skip questions of the survey.',
    'The request is rejected by the server with 403.',
    'The user model holds name and mail; the command handler is in src/commands.ts:4.',
    'request_user_input is unavailable in Default mode',
    'No user is available to answer questions in this non-interactive session.',
    'I decided to keep the old name, since nobody could be asked.',
  ]) {
    it(`is not warned of: ${told}`, () => assert.equal(madeUpConsent(told), undefined));
  }

  it('is looked through in linear time', () => {
    assert.equal(madeUpConsent('the command the user has request '.repeat(100_000)), undefined);
  });
});
