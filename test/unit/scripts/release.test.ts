import assert from 'node:assert/strict';
import { releaseProblems, type ReleaseState } from '../../../scripts/releaseChecks.ts';
import {
  describeStep,
  environmentOf,
  type ReleaseStep,
  releaseSteps,
  runSteps,
  withoutTokens,
} from '../../../scripts/releasePlan.ts';

const changelog = `# Changelog

## [Unreleased]

## [1.2.0] - 2026-11-30

### Added
- Something.

[1.2.0]: https://example.com/v1.2.0
`;
const ready: ReleaseState = {
  ...{ version: '1.2.0', changelog, today: '2026-12-01', status: '', tags: ['v1.1.0', ''] },
  env: { VSCE_PAT: 'one-secret', OVSX_PAT: 'other-secret' },
};

describe('releaseProblems', () => {
  it('finds nothing where all is ready', () => {
    assert.deepEqual(releaseProblems(ready), []);
  });

  const cases: readonly [title: string, change: Partial<ReleaseState>, problem: RegExp][] = [
    ['a version without a section', { version: '1.3.0' }, /no section for 1\.3\.0.*"## \[1\.3\.0\] - 2026-12-01"/],
    ['a date to come', { today: '2026-11-29' }, /in the future/],
    [
      'changes that belong to no version',
      { changelog: changelog.replace('[Unreleased]\n', '[Unreleased]\n\n### Fixed\n- More.\n') },
      /under \[Unreleased\]/,
    ],
    [
      'a changelog out of its form',
      { changelog: changelog.replace('### Added', '### New') },
      /CHANGELOG\.md has "New"/,
    ],
    ['changed files', { status: ' M src/a.ts\n?? b\n' }, /has changes \(2, first: M src\/a\.ts\)/],
    ['a tag that is there', { tags: ['v1.2.0'] }, /tag v1\.2\.0 is there/],
    ['a missing token', { env: { VSCE_PAT: 'one-secret', OVSX_PAT: '' } }, /^OVSX_PAT is not set/],
  ];
  for (const [title, change, problem] of cases) {
    it(`finds ${title}`, () => {
      const problems = releaseProblems({ ...ready, ...change });
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems.join('\n'), problem);
      assert.doesNotMatch(problems.join('\n'), /secret/);
    });
  }
});

describe('a release', () => {
  const packages = [
    { target: 'linux-x64', path: 'dist/a.vsix' },
    { target: 'universal', path: 'dist/b.vsix' },
  ] as const;
  const steps = releaseSteps(packages, 'v1.2.0');

  it('publishes every package to both, and is tagged at the end', () => {
    assert.deepEqual(
      steps.map(({ title }) => title),
      [
        'install ovsx',
        'Marketplace linux-x64',
        'Marketplace universal',
        'Open VSX linux-x64',
        'Open VSX universal',
        'tag',
      ],
    );
    assert.match(
      describeStep(steps[1] ?? assert.fail()),
      /^node .*vsce publish --packagePath dist\/a\.vsix .*VSCE_PAT\)$/,
    );
    assert.equal(describeStep(steps[5] ?? assert.fail()), 'git tag -a v1.2.0 -m v1.2.0');
  });

  it('gives a program the one token that it needs, and no other program any', () => {
    const seen = steps.map((step) => {
      const { VSCE_PAT, OVSX_PAT, PATH } = environmentOf(step, { ...ready.env, PATH: '/bin' });
      assert.equal(PATH, '/bin');
      return [VSCE_PAT, OVSX_PAT];
    });
    const [vsce, ovsx] = [
      ['one-secret', undefined],
      [undefined, 'other-secret'],
    ];
    const none = [undefined, undefined];
    assert.deepEqual(seen, [none, vsce, vsce, ovsx, ovsx, none]);
  });

  const runUntil = async (fails: string) => {
    const ran: string[] = [];
    const run = ({ title }: ReleaseStep) => {
      ran.push(title);
      return title === fails ? Promise.reject(new Error('it is shut')) : Promise.resolve();
    };
    const message = await runSteps(steps, run).then(
      () => '',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    );
    return { ran, message };
  };

  it('stops at the first failure, and says what is published and how to go on', async () => {
    const { ran, message } = await runUntil('Open VSX linux-x64');
    assert.deepEqual(ran.at(-1), 'Open VSX linux-x64');
    assert.match(message, /^Open VSX linux-x64 failed: it is shut$/m);
    assert.match(message, /^Published: Marketplace linux-x64, Marketplace universal\.$/m);
    assert.match(message, /^Not published: Open VSX linux-x64, Open VSX universal\.$/m);
    assert.match(message, /run the same command again/);
    assert.match((await runUntil('install ovsx')).message, /^Published: nothing\.$/m);
  });

  it('runs all steps when none fails', async () => {
    assert.deepEqual(await runUntil(''), { ran: steps.map(({ title }) => title), message: '' });
  });

  it('prints no token, whoever printed it first', () => {
    assert.equal(withoutTokens('401 for one-secret and other-secret', ready.env), '401 for <VSCE_PAT> and <OVSX_PAT>');
    assert.equal(withoutTokens('plain', {}), 'plain');
  });
});
