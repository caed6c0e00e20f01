import assert from 'node:assert/strict';
import fc from 'fast-check';
import { failureBy, withQuote } from '../../../src/engines/failure.ts';
import { isName } from '../../../src/engines/names.ts';
import { readJson } from '../../../src/engines/outputLine.ts';
import { toolTitle } from '../../../src/engines/toolTitle.ts';
import { workspacePath } from '../../../src/engines/workspacePath.ts';

describe('a line of output', () => {
  it('is read as JSON or not at all', () => {
    assert.deepEqual(readJson('{"a":[1]}', false), { a: [1] });
    assert.equal(readJson('{"a":[1]', false), undefined);
    assert.equal(readJson('hello', true), undefined);
  });

  it('keeps what stands before the cut', () => {
    assert.deepEqual(readJson('{"a":{"b":"long te', true), { a: { b: 'long te' } });
    assert.deepEqual(readJson('{"a":"x\\', true), { a: 'x' });
    assert.deepEqual(readJson('{"a":"x\\u00e', true), { a: 'x' });
    assert.deepEqual(readJson('{"a":"x\\\\', true), { a: 'x\\' });
    assert.deepEqual(readJson('{"a":1,"b":[1,2,{"c', true), { a: 1, b: [1, 2, {}] });
    assert.deepEqual(readJson('{"a":1,"ke', true), { a: 1 });
    assert.deepEqual(readJson('{"a":1,"key":', true), { a: 1 });
    assert.deepEqual(readJson('{"a":"},{","b":tr', true), { a: '},{' });
  });

  it('never throws for a cut one, and gives an object for every object', () => {
    fc.assert(
      fc.property(fc.object(), fc.nat(100_000), (value, at) => {
        const text = JSON.stringify(value);
        const read = readJson(text.slice(0, at % (text.length + 1)), true);
        assert.ok(at % (text.length + 1) === 0 ? read === undefined : typeof read === 'object');
      }),
    );
  });
});

describe('a failure', () => {
  const rules = [
    { when: /first/, reason: 'rateLimited', says: 'One.' },
    { when: /second|first/, reason: 'environment', says: 'Two.' },
  ] as const;

  it('is the first that fits', () => {
    assert.deepEqual(failureBy(rules, 'X', 'first'), { reason: 'rateLimited', message: 'One. X said: first' });
    assert.equal(failureBy(rules, 'X', 'second')?.reason, 'environment');
    assert.equal(failureBy(rules, 'X', 'third'), undefined);
  });

  it('quotes little, on one line, and no control characters', () => {
    const message = withQuote('No.', 'X', `a\n\u001b[2Kb ${'c'.repeat(5_000)}`);
    assert.ok(message.length < 330);
    assert.doesNotMatch(message, /[\n\u001b]/);
    assert.equal(withQuote('No.', 'X', ' \n'), 'No.');
  });

  it('quotes no credentials', () => {
    const key = ['sk', 'proj', 'abcdefghijklmnopqrstuvwx'].join('-');
    for (const words of [
      `Incorrect API key provided: ${key}. Find yours at https://x`,
      'Incorrect API key provided: hunter2.',
      'header Authorization: Bearer abc.def.ghi',
      'cannot reach https://user:hunter2@proxy.local/',
      `token ${key} is revoked`,
    ]) {
      assert.doesNotMatch(withQuote('No.', 'X', words), /hunter2|abc\.def|abcdefgh/);
    }
    assert.match(withQuote('No.', 'X', 'Incorrect API key provided.'), /Incorrect API key provided\.$/);
  });

  it('quotes the sentence inside a server’s JSON', () => {
    assert.equal(withQuote('No.', 'X', '{"error":{"message":"Bad effort","type":"t"}}'), 'No. X said: Bad effort');
    assert.equal(withQuote('No.', 'X', '{"message":"Bad effort"}'), 'No. X said: Bad effort');
    assert.equal(withQuote('No.', 'X', '{"other":1}'), 'No. X said: {"other":1}');
  });
});

describe('the title of a tool call', () => {
  it('is the command, else the tool and what it works on', () => {
    assert.equal(toolTitle('Bash', { command: 'npm\n  test', description: 'x' }), 'npm test');
    assert.equal(toolTitle('Read', { file_path: '/a' }), 'Read /a');
    assert.equal(toolTitle('Grep', { pattern: 'x', path: '' }), 'Grep x');
    assert.equal(toolTitle('Odd', 'text'), 'Odd');
    assert.equal(toolTitle('Odd', { command: 7 }), 'Odd');
  });

  it('is bounded and on one line', () => {
    const title = toolTitle('Bash', { command: `echo ${'x'.repeat(10_000)}\n\u202e` });
    assert.ok(title.length <= 8_000 && !/[\n\u202e]/.test(title));
  });
});

describe('a path in an event', () => {
  it('is relative inside the folder and absolute outside', () => {
    assert.equal(workspacePath('/w', '/w/a/b'), 'a/b');
    assert.equal(workspacePath('/w', 'a/../b'), 'b');
    assert.equal(workspacePath('/w', '/w2/a'), '/w2/a');
    assert.equal(workspacePath('/w', '../x'), '/x');
    assert.equal(workspacePath('/w', '/w'), '/w');
    assert.equal(workspacePath('/w', '/w/..a'), '..a');
  });
});

describe('a name', () => {
  it('is what CLIs call models, efforts and sessions', () => {
    for (const name of ['opus', 'gpt-5.6-luna', 'claude-opus-4-8[1m]', 'vendor/model:tag', 'a@b', '0199-aa']) {
      assert.ok(isName(name), name);
    }
  });

  it('is never a flag, and nothing to a shell', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        if (isName(name)) assert.match(name, /^[A-Za-z0-9][^\s'"`$;&|<>(){}*?!#~\\]*$/);
      }),
    );
    for (const name of ['', '-x', '--model', ' opus', 'a b', 'a\n', '$(x)', 'x'.repeat(129)])
      assert.ok(!isName(name), name);
  });
});
