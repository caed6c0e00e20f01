import assert from 'node:assert/strict';
import type { Task } from '../../src/delegation/task.ts';
import type { FakeOptions } from '../support/fakes/delegation.ts';
import { refused, useToolBench } from '../support/toolBench.ts';

describe('read_slice', () => {
  const bench = useToolBench();

  const source = ['one();', '', 'two();', '  three();', 'two();'];
  const answers = (text: string): FakeOptions => ({ answer: () => ({ sessionId: 'abc-123', text }) });

  before(() => {
    bench.write('src/long.ts', `${source.join('\n')}\n`);
    bench.write('odd\nname.ts', 'one();\n');
    bench.write('picture.png', Buffer.from([0x89, 0x50, 0, 0]));
  });

  it('reads with the model for it, what was asked for in the files named', async () => {
    const { client, delegation } = await bench.connect(answers('src/long.ts:1: one();'));
    const answer = await client.call('read_slice', {
      files: ['src/../src/long.ts', 'src/long.ts'],
      want: 'the call of one',
    });
    const { instructions, check, ...asked } = delegation.runs[0]?.asked as Task;
    assert.deepEqual(asked, {
      tool: 'read_slice',
      prompt: 'the call of one\n\nIn these files:\n- src/long.ts',
      access: 'readOnly',
      cwd: bench.workspace,
      choice: { by: 'tier', tier: { engine: 'codex', model: 'reader', effort: 'low' } },
    });
    assert.match(instructions ?? '', /path:number: source/);
    assert.ok(check);
    assert.match(answer.text, /^src\/long\.ts:1: one\(\);\n\nsession_id: codex:abc-123\n/);
  });

  it('returns nothing that is not in the file, and says what it did', async () => {
    const claimed = [
      'Here you are:',
      ...['2: one();', '3: three();', '4: four();', '5: two();'].map((line) => `src/long.ts:${line}`),
      'not found: five',
    ];
    const { client } = await bench.connect(answers(claimed.join('\n')));
    const { text, isError } = await client.call('read_slice', { files: ['src/long.ts'], want: 'all calls' });
    assert.equal(isError, false);
    assert.match(
      text,
      /^Note: Of the lines of the answer, checked against the files: 2 had a wrong number, which was corrected; 1 had other white space, which was corrected; 1 could not be found in the files and was left out; 1 was no line of a file and was left out\.\n\n/,
    );
    assert.match(
      text,
      /\n\nsrc\/long\.ts:1: one\(\);\nsrc\/long\.ts:4: {3}three\(\);\nsrc\/long\.ts:5: two\(\);\nnot found: five\n\nsession_id/,
    );
  });

  it('takes "not found" for an answer, and made-up lines for none', async () => {
    const { client } = await bench.connect(answers('not found: the call of six'));
    const honest = await client.call('read_slice', { files: ['src/long.ts'], want: 'the call of six' });
    assert.deepEqual([honest.isError, honest.text.split('\n')[0]], [false, 'not found: the call of six']);
    for (const text of [
      'src/long.ts:6: six();',
      'It calls six on line 6.',
      '',
      'src/long.ts:6: six();\nnot found: x',
    ]) {
      const { client: other } = await bench.connect(answers(text));
      const answer = await other.call('read_slice', { files: ['src/long.ts'], want: 'the call of six' });
      refused(answer, /^Failed \(badRequest\):\nNo line of the worker's answer is in the files/);
      assert.match(answer.text, /session_id: codex:abc-123/);
    }
  });

  it('lets no part of a private key through', async () => {
    const border = (word: string) => `-----${word} PRIVATE KEY-----`;
    const body = Array.from(
      { length: 8 },
      (_, line) => `${line}MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj`,
    );
    bench.write('server.pem', ['# mine', border('BEGIN'), ...body, border('END'), 'end'].join('\n'));
    const lines = [
      'server.pem:1: # mine',
      `server.pem:5: ${body[2]}`,
      'server.pem:6: [redacted: private key]',
      'server.pem:12: end',
    ];
    const { client } = await bench.connect(answers(lines.join('\n')));
    const { text } = await client.call('read_slice', { files: ['server.pem'], want: 'lines 1, 5, 6 and 12' });
    assert.match(text, /\n\nserver\.pem:1: # mine\nserver\.pem:6: \[redacted: private key\]\nserver\.pem:12: end\n\n/);
    assert.doesNotMatch(text, /MIIE/);
  });

  it('refuses whole files, and what is no text file, before a worker starts', async () => {
    const { client, delegation } = await bench.connect(answers(''));
    const files = ['src/long.ts'];
    for (const want of ['the whole file', 'src/long.ts', 'lines 1-5', 'everything']) {
      refused(await client.call('read_slice', { files, want }), /some lines, not whole files.*symbol.*explore/);
    }
    const bad: [Record<string, unknown>, RegExp][] = [
      [{ files, want: ' ' }, /want is empty/],
      [{ files: [], want: 'one' }, /files: /],
      [{ files: Array(21).fill('src/long.ts'), want: 'one' }, /files: .*20/],
      [{ files: ['src'], want: 'one' }, /"src" is a folder.*explore/],
      [{ files: ['picture.png'], want: 'one' }, /"picture\.png" is no text/],
      [{ files: ['odd\nname.ts'], want: 'one' }, /control character/],
      [{ files: ['leak.txt'], want: 'one' }, /outside/],
      [{ files: ['src/none.ts'], want: 'one' }, /does not exist/],
    ];
    for (const [args, why] of bad) refused(await client.call('read_slice', args), why);
    assert.equal(delegation.runs.length, 0);
  });
});
