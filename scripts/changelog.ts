/** One version of a changelog, as Keep a Changelog has it. */
export interface ChangelogSection {
  /** `Unreleased` or a version. */
  readonly name: string;
  /** As written; undefined when there is none. */
  readonly date: string | undefined;
  /** What stands under each heading. */
  readonly changes: ReadonlyMap<string, readonly string[]>;
}

const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const versionPattern = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?$/;
const heading = /^## \[([^\]]+)\](?: - (\S+))?$/;

/** The sections of a changelog in their order. Whatever is no heading and no entry is left out. */
export function changelogSections(text: string): ChangelogSection[] {
  const sections: { name: string; date: string | undefined; changes: Map<string, string[]> }[] = [];
  let entries: string[] = [];
  for (const line of text.split('\n')) {
    const [, name, date] = heading.exec(line) ?? [];
    const [, kind] = /^### (.+)$/.exec(line) ?? [];
    if (name !== undefined) {
      sections.push({ name, date, changes: new Map() });
      entries = [];
    } else if (kind !== undefined) sections.at(-1)?.changes.set(kind, (entries = []));
    else if (line.startsWith('- ')) entries.push(line.slice(2));
  }
  return sections;
}

/** What is wrong with the form of a changelog (keepachangelog.com 1.1.0), for people. */
export function changelogProblems(text: string): string[] {
  const sections = changelogSections(text);
  const odd = text.split('\n').filter((line) => line.startsWith('## ') && !heading.test(line));
  const versions = sections.filter(({ name }) => name !== 'Unreleased');
  const names = sections.map(({ name }) => name);
  return [
    ...(text.startsWith('# Changelog\n') ? [] : ['does not begin with "# Changelog"']),
    ...odd.map((line) => `has a heading that is no version: ${line}`),
    ...(names.indexOf('Unreleased') > 0 ? ['has [Unreleased] below a version'] : []),
    ...names.filter((name, index) => names.indexOf(name) < index).map((name) => `has [${name}] twice`),
    ...versions.flatMap(problemsOfVersion),
    ...versions
      .filter(({ name }) => !text.includes(`\n[${name}]: https://`))
      .map(({ name }) => `has no link for [${name}]`),
    ...sections.flatMap(problemsOfChanges),
    ...problemsOfOrder(versions),
  ];
}

function problemsOfVersion({ name, date }: ChangelogSection): string[] {
  return [
    ...(versionPattern.test(name) ? [] : [`has a version that is none: ${name}`]),
    ...(date !== undefined && isDate(date) ? [] : [`has no date like 2026-12-31 for ${name}`]),
  ];
}

function problemsOfChanges({ name, changes }: ChangelogSection): string[] {
  const unknown = [...changes.keys()].filter((kind) => !kinds.includes(kind));
  const empty = [...changes].filter(([, entries]) => entries.length === 0).map(([kind]) => kind);
  return [
    ...unknown.map((kind) => `has "${kind}" in [${name}], which is none of ${kinds.join(', ')}`),
    ...empty.map((kind) => `has nothing under "${kind}" of [${name}]`),
    ...(name !== 'Unreleased' && changes.size === 0 ? [`says nothing of ${name}`] : []),
  ];
}

function problemsOfOrder(versions: readonly ChangelogSection[]): string[] {
  return versions.flatMap(({ name, date = '' }, index) => {
    const newer = versions[index - 1];
    return newer?.date !== undefined && newer.date < date ? [`has ${newer.name} before ${name}, which is later`] : [];
  });
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
