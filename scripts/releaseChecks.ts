import { changelogProblems, changelogSections } from './changelog.ts';
import { tokenNames } from './releasePlan.ts';

/** What is looked at before anything is published. */
export interface ReleaseState {
  /** Of package.json. */
  readonly version: string;
  readonly changelog: string;
  /** `2026-12-31`. */
  readonly today: string;
  /** What `git status --porcelain` prints. */
  readonly status: string;
  /** The tags of the repository. */
  readonly tags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Everything that is in the way of a release, for people, each with what to do. The tokens' values are only tested for being there. */
export function releaseProblems({ version, changelog, today, status, tags, env }: ReleaseState): string[] {
  const changed = status.split('\n').filter((line) => line !== '');
  return [
    ...changelogProblems(changelog).map((problem) => `CHANGELOG.md ${problem}`),
    ...problemsOfSection(changelog, version, today),
    ...(changed.length > 0
      ? [
          `the working tree has changes (${changed.length}, first: ${changed[0]?.trim() ?? ''}): commit them, or put them away`,
        ]
      : []),
    ...(tags.includes(tagOf(version))
      ? [`the tag ${tagOf(version)} is there already: raise the version in package.json and CHANGELOG.md`]
      : []),
    ...tokenNames.filter((name) => !env[name]).map((name) => `${name} is not set: see CONTRIBUTING.md, "To release"`),
  ];
}

/** The tag of a version. */
export function tagOf(version: string): string {
  return `v${version}`;
}

function problemsOfSection(changelog: string, version: string, today: string): string[] {
  const sections = changelogSections(changelog);
  const section = sections.find(({ name }) => name === version);
  if (section === undefined) {
    return [
      `CHANGELOG.md has no section for ${version}: give what is under [Unreleased] the heading "## [${version}] - ${today}"`,
    ];
  }
  const unreleased = sections.find(({ name }) => name === 'Unreleased')?.changes.size ?? 0;
  return [
    ...(section.date !== undefined && section.date > today ? [`CHANGELOG.md dates ${version} in the future`] : []),
    ...(unreleased > 0
      ? [`CHANGELOG.md has changes under [Unreleased] that would be released: move them to [${version}]`]
      : []),
  ];
}
