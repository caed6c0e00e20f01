import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkLines } from '../../../src/mcp/sourceLines.ts';

const file = ['import a;', '', 'function one() {', '  return 1;', '}', '', 'function two() {', '  return 2;', '}'];
const sources = new Map([
  ['src/a.ts', file],
  ['src/a.ts:3: odd', ['odd']],
]);
const check = (answer: string) => checkLines(answer, sources, '/work');
const nothing = { lines: [], notFound: [], renumbered: 0, respaced: 0, dropped: 0, talk: 0 };

describe('lines that a worker returns', () => {
  it('are left alone when they are right, in the ways a worker may write them', () => {
    const lines = ['src/a.ts:3: function one() {', 'src/a.ts:4:   return 1;', 'src/a.ts:2: '];
    const answer = ['./src/a.ts:3:function one() {', '/work/src/a.ts:4:  return 1;', '- src/a.ts:2:'].join('\n');
    assert.deepEqual(check(lines.join('\n')), { ...nothing, lines });
    assert.deepEqual(check(answer), { ...nothing, lines });
    assert.deepEqual(check(`\`\`\`ts\n${lines.join('\r\n')}\n--\n\`\`\``), { ...nothing, lines });
  });

  it('get the right number, the ambiguous ones by their neighbours', () => {
    const answer = ['src/a.ts:17: function two() {', 'src/a.ts:18:   return 2;', 'src/a.ts:19: }'].join('\n');
    assert.deepEqual(check(answer), {
      ...nothing,
      lines: ['src/a.ts:7: function two() {', 'src/a.ts:8:   return 2;', 'src/a.ts:9: }'],
      renumbered: 3,
    });
    const first = ['src/a.ts:15: }', 'src/a.ts:16:', 'src/a.ts:17: function two() {'].join('\n');
    assert.deepEqual(check(first).lines, ['src/a.ts:5: }', 'src/a.ts:6: ', 'src/a.ts:7: function two() {']);
  });

  it('are dropped when the file has them nowhere, or nobody can tell where', () => {
    const answer = ['src/a.ts:4: return 3;', 'src/a.ts:99: }', 'src/a.ts:0: x', 'src/b.ts:1: import a;'].join('\n');
    assert.deepEqual(check(answer), { ...nothing, dropped: 3, talk: 1 });
  });

  it('get their white space back', () => {
    assert.deepEqual(check('src/a.ts:4: return  1;'), { ...nothing, lines: ['src/a.ts:4:   return 1;'], respaced: 1 });
  });

  it('come once, whatever else is said', () => {
    const answer = 'Here they are:\nsrc/a.ts:1: import a;\nsrc/a.ts:1: import a;\nNot found: function three';
    assert.deepEqual(check(answer), {
      ...nothing,
      lines: ['src/a.ts:1: import a;'],
      notFound: ['function three'],
      talk: 1,
    });
  });

  it('tell a file by its longest name', () => {
    assert.deepEqual(check('src/a.ts:3: odd:1: odd').lines, ['src/a.ts:3: odd:1: odd']);
  });

  it('stay redacted', () => {
    const secret = new Map([['.env', ['# keys', 'KEY=abc123 # mine', 'TOKEN = def456']]]);
    const checked = checkLines(
      '.env:2: KEY=[redacted: key] # mine\n.env:3: TOKEN=[redacted: token]\n.env:1: KEY=[redacted: key]',
      secret,
      '/work',
    );
    assert.deepEqual(checked.lines, ['.env:2: KEY=[redacted: key] # mine']);
    assert.equal(checked.dropped, 2);
  });

  it('take nothing from the file but white space and a number, whatever the answer', () => {
    const words = fc.constantFrom('}', '', 'return 1;', 'function', '  return 2;', 'x', '[redacted: key]');
    const claim = fc.tuple(fc.nat(12), words).map(([number, text]) => `src/a.ts:${number}: ${text}`);
    fc.assert(
      fc.property(fc.array(fc.oneof(claim, words)), (answer) => {
        const bare = (line: string) => line.replace(/^src\/a\.ts:\d+:/, '').replace(/\s/g, '');
        const said = new Set(answer.map(bare));
        for (const line of check(answer.join('\n')).lines) assert.ok(said.has(bare(line)), line);
      }),
    );
  });

  it('are checked in linear time', () => {
    const many = Array.from({ length: 60_000 }, (_, index) => (index % 2 ? '}' : `call(${index});`));
    const answer = many.map((line, index) => `big:${index + 8}: ${line}`).join('\n');
    const checked = checkLines(answer, new Map([['big', many]]), '/work');
    assert.equal(checked.lines.length, 60_000);
    assert.deepEqual(
      checkLines(many.map((_, index) => `big:${index + 70_000}: }`).join('\n'), new Map([['big', many]]), '/').dropped,
      60_000,
    );
  });
});
