import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnds, readPage, writeLog } from '../../../../src/delegation/command/logFile.ts';
import { wordRedactor } from '../../../support/delegationDeps.ts';

describe('the log of a command', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-log-'));
    file = join(folder, 'output.log');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function* pieces(...texts: string[]): AsyncGenerator<string> {
    for (const text of texts) yield await Promise.resolve(text);
  }

  async function pagesOf(bytes: number): Promise<string[]> {
    const { pages } = await readPage(file, 1, bytes);
    return Promise.all(Array.from({ length: pages }, async (_, at) => (await readPage(file, at + 1, bytes)).text));
  }

  it('is private, redacted and visible, and its size is told', async () => {
    const extent = await writeLog(pieces('one hush\n[redacted: mine] t', 'wo\u202e\u0000\n'), file, wordRedactor);
    assert.equal(readFileSync(file, 'utf8'), 'one [redacted: word]\n[redacted: mine] two\\u{202e}\\x00\n');
    assert.deepEqual(extent, { chars: 54, lines: 2, redactions: 1 });
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('is the same whatever pieces it came in', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const extent = await writeLog(pieces(...Array.from({ length: 70 }, () => line.repeat(100))), file, wordRedactor);
    assert.deepEqual(extent, { chars: 700_000, lines: 7_000, redactions: 0 });
    assert.equal(readFileSync(file, 'utf8'), line.repeat(7_000));
  });

  it('has pages that begin with a line and joined are the log', async () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `line ${at} ä€😀`).join('\n');
    writeFileSync(file, text);
    const pages = await pagesOf(5_000);
    assert.equal(pages.join(''), text);
    assert.ok(pages.length > 5 && pages.slice(1).every((page) => page.startsWith('line ')));
    assert.deepEqual(await readPage(file, pages.length + 1, 5_000), { text: '', pages: pages.length });
  });

  it('has pages although it has no lines, and cuts no character', async () => {
    const text = '😀'.repeat(9_001);
    writeFileSync(file, text);
    const pages = await pagesOf(5_001);
    assert.equal(pages.join(''), text);
    assert.ok(pages.every((page) => !page.includes('\ufffd')));
  });

  it('has one page when it is empty', async () => {
    writeFileSync(file, '');
    assert.deepEqual(await readPage(file, 1, 5_000), { text: '', pages: 1 });
  });

  it('shows its two ends, or all of it', async () => {
    writeFileSync(file, 'short\n');
    assert.deepEqual(await readEnds(file, 10, 10), { head: 'short\n', tail: '' });
    writeFileSync(file, `first\n${'middle\n'.repeat(100)}last\n`);
    const { head, tail } = await readEnds(file, 15, 15);
    assert.deepEqual([head, tail.endsWith('last\n'), tail.startsWith('middle\n')], ['first\nmiddle\n', true, true]);
  });
});
