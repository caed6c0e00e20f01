import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bound, pagesOf } from '../../../src/delegation/output.ts';

const footer =
  'session_id: codex:0199a213-81c0-7800-8aa1-bbab2a035a53\nTo ask this worker more: follow_up(session_id, question).';
const howToGet = 'read resource sallyport://runs/x/output';
const gap = /\n… ([\d,]+) characters left out: read resource sallyport:\/\/runs\/x\/output …\n/;
const mark = '[redacted: GitHub token]';

/** Texts with lines, marks and characters outside the basic plane. */
const texts = fc
  .array(
    fc.oneof(
      fc.constant(mark),
      fc.constant('\n'),
      fc.constant('😀'),
      fc.string({ maxLength: 40 }),
      fc.constant('word '.repeat(30)),
    ),
    {
      maxLength: 120,
    },
  )
  .map((parts) => parts.join(''));

describe('bounded output', () => {
  it('leaves what fits alone and adds the footer', () => {
    assert.equal(bound('Done.', 1000, footer, howToGet), `Done.\n\n${footer}`);
    assert.equal(bound('Done.', 1000, '', howToGet), 'Done.');
    assert.equal(bound('', 1000, footer, howToGet), footer);
  });

  it('fits exactly at the limit, and cuts one character past it', () => {
    const text = 'a'.repeat(2000);
    assert.equal(bound(text, 2000, '', howToGet), text);
    assert.match(bound(`${text}a`, 2000, '', howToGet), gap);
  });

  it('keeps head and tail and says how much is missing and how to get it', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n');
    const result = bound(text, 2000, footer, howToGet);
    const missing = Number(gap.exec(result)?.[1]?.replaceAll(',', ''));
    const [head = '', tail = ''] = result
      .slice(0, -footer.length - 2)
      .split(gap)
      .filter((_, index) => index !== 1);
    assert.equal(head.length + tail.length + missing, text.length);
    assert.ok(text.startsWith(`${head}\n`), 'the head ends with a line');
    assert.ok(text.endsWith(`\n${tail}`), 'the tail begins with a line');
    assert.ok(result.length > 1500, 'the room is used');
  });

  it('never exceeds the limit, keeps the footer, breaks no pair and no mark, whatever the text', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: footer.length + 2, max: 4000 }), (text, maxChars) => {
        const result = bound(text, maxChars, footer, howToGet);
        assert.ok(result.length <= maxChars);
        assert.ok(result.endsWith(footer));
        assert.ok(result.isWellFormed());
        assert.doesNotMatch(result.replaceAll(mark, ''), /redacted|GitHub|oken\]/);
        const missing = gap.exec(result);
        if (missing)
          assert.equal(
            result.length - missing[0].length - footer.length - 2 + Number(missing[1]?.replaceAll(',', '')),
            text.length,
          );
      }),
      { numRuns: 500 },
    );
  });

  it('cuts even the footer rather than exceed the limit', () => {
    assert.equal(bound('text', 10, footer, howToGet), footer.slice(0, 10));
  });
});

describe('pages', () => {
  it('are the text again, none too long, and break no mark and no character', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 600, max: 2000 }), (text, maxChars) => {
        const pages = pagesOf(text, maxChars);
        assert.equal(pages.join(''), text);
        for (const page of pages) {
          assert.ok(page.length <= maxChars);
          assert.ok(page.length > maxChars - 500 || page === pages.at(-1), 'a page is full');
          assert.ok(page.isWellFormed(), 'no character is broken');
          assert.equal(page.split('[redacted: ').length, page.split(mark).length, 'no mark is broken');
        }
      }),
    );
  });

  it('end with a line where one ends nearby', () => {
    const text = Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join('');
    const pages = pagesOf(text, 1000);
    assert.ok(pages.length > 4);
    for (const page of pages) assert.match(page, /\n$/);
    assert.deepEqual(pagesOf('', 1000), ['']);
  });

  it('are cut from megabytes at once', () => {
    const text = `${'x'.repeat(20_000_000)}${mark}`;
    assert.equal(pagesOf(text, 20_000).join('').length, text.length);
  });
});
