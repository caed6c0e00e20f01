import assert from 'node:assert/strict';
import { asksForWholeFile } from '../../../src/mcp/wholeFile.ts';

const files = [{ name: 'src/server.ts', lines: 400 }];

describe('a request for lines', () => {
  for (const want of [
    'the whole file',
    'Show me the entire file, please.',
    'everything',
    'all lines',
    'src/server.ts',
    'cat server.ts',
    '`src/server.ts` from top to bottom',
    'read the file from the beginning to the end',
    'full contents of src/server.ts',
    'The complete source file so that I can understand how sessions work',
    'lines 1-400',
    'lines 1 to 9999',
    'line 1 to end',
    '1-400',
    'please return every line of the file verbatim',
    'the source code',
    '???',
  ]) {
    it(`is for the whole file: ${want}`, () => assert.equal(asksForWholeFile(want, files), true));
  }

  for (const want of [
    'the function openSession',
    'all lines that mention timeout',
    'the entire function openSession, not the whole file',
    'the whole class Server with its comments',
    'lines 1-40',
    'lines 10-400',
    'every import',
    'the first line and the last line',
    'where the full file name is put together',
    'every call of readFile',
    'the full file path in the log message',
    'functions with 1 to 900 arguments',
    'the license text',
  ]) {
    it(`is for some of them: ${want}`, () => assert.equal(asksForWholeFile(want, files), false));
  }

  it('measures a range against the longest of several files', () => {
    const two = [...files, { name: 'src/long.ts', lines: 900 }];
    assert.equal(asksForWholeFile('lines 1-400', two), false);
    assert.equal(asksForWholeFile('lines 1-900', two), true);
  });
});
