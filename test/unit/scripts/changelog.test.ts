import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { changelogProblems, changelogSections } from '../../../scripts/changelog.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const good = `# Changelog

## [Unreleased]

## [1.1.0] - 2026-11-02

### Added
- One thing,
  over two lines.
- Another.

### Fixed
- A third.

## [1.0.0] - 2026-10-01

### Added
- All of it.

[1.1.0]: https://example.com/compare/v1.0.0...v1.1.0
[1.0.0]: https://example.com/releases/v1.0.0
`;

describe('changelog', () => {
  it('is in its form, and has the version of the manifest or what is to become it', () => {
    const text = read('CHANGELOG.md');
    assert.deepEqual(changelogProblems(text), []);
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));
    const names = changelogSections(text).map(({ name }) => name);
    assert.ok(names.includes(version) || names[0] === 'Unreleased', names.join(', '));
  });

  it('is read by version and kind', () => {
    const [unreleased, newest] = changelogSections(good);
    assert.deepEqual([unreleased?.name, unreleased?.changes.size], ['Unreleased', 0]);
    assert.deepEqual([newest?.name, newest?.date], ['1.1.0', '2026-11-02']);
    assert.deepEqual(
      [...(newest?.changes ?? [])],
      [
        ['Added', ['One thing,', 'Another.']],
        ['Fixed', ['A third.']],
      ],
    );
    assert.deepEqual(changelogProblems(good), []);
  });

  const broken: readonly [change: [from: string, to: string], problem: RegExp][] = [
    [['# Changelog\n', ''], /does not begin/],
    [['[1.1.0] - 2026-11-02', '1.1.0'], /is no version: ## 1\.1\.0/],
    [['[1.1.0] - 2026-11-02', '[1.1.0]'], /no date.*1\.1\.0/],
    [['2026-11-02', '2026-13-02'], /no date/],
    [['2026-11-02', '2026-02-30'], /no date/],
    [['[1.1.0] -', '[1.1] -'], /a version that is none: 1\.1/],
    [['[1.1.0] -', '[1.0.0] -'], /\[1\.0\.0\] twice/],
    [['2026-10-01', '2026-12-01'], /1\.1\.0 before 1\.0\.0, which is later/],
    [['### Fixed', '### Mended'], /"Mended" in \[1\.1\.0\]/],
    [['- A third.\n', ''], /nothing under "Fixed"/],
    [['### Added\n- All of it.\n', ''], /says nothing of 1\.0\.0/],
    [['[1.0.0]: https', '[1.0.0]: ftp'], /no link for \[1\.0\.0\]/],
    [['## [Unreleased]\n', ''], /^$/],
  ];
  for (const [[from, to], problem] of broken) {
    it(`with ${JSON.stringify(from)} as ${JSON.stringify(to)}`, () => {
      assert.match(changelogProblems(good.replace(from, to)).join('\n'), problem);
    });
  }
});
