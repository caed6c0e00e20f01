import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { oneLine } from '../../base/displayText.ts';
import { type Persona, type PersonaRoot, personasIn } from './personaFiles.ts';

/** What a look-up comes to; `message` says what to do instead. */
export type PersonaLookUp = { ok: true; body: string } | { ok: false; message: string };

/** A name never becomes a path: it is compared with the names that files bear. Refused names are those of nobody. */
const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]*(?::[\p{L}\p{N}][\p{L}\p{N} ._-]*)?$/u;
const maxNameChars = 100;

/**
 * Finds a persona by its name (`code-reviewer`), or by that of its plugin and its own (`pit:issue-investigator`). The first
 * root that has it counts, and in that root the file that was changed last.
 */
export async function findPersona(name: string, roots: readonly PersonaRoot[]): Promise<PersonaLookUp> {
  if (name.length > maxNameChars || name.includes('..') || !namePattern.test(name)) {
    const given = JSON.stringify(name.slice(0, maxNameChars));
    return { ok: false, message: `${given} is no name of an agent. ${howToName}` };
  }
  const others: Persona[] = [];
  for (const root of roots) {
    const there = await personasIn(root);
    const matching = there.filter((persona) => [persona.name, fullName(persona)].includes(name));
    const newest = matching.sort((a, b) => b.changedAt - a.changedAt)[0];
    if (newest) return { ok: true, body: newest.body };
    others.push(...there);
  }
  return { ok: false, message: `There is no agent ${JSON.stringify(name)}. ${whoIsThere(others)}` };
}

const howToName = 'Pass a name such as "code-reviewer" or "plugin:code-reviewer", or {"prompt": "…"}.';

const fullName = ({ scope, name }: Persona) => `${scope}:${name}`;

const maxListed = 20;

function whoIsThere(personas: readonly Persona[]): string {
  const known = new Map(personas.filter(({ name }) => namePattern.test(name)).map((each) => [each.name, each]));
  if (known.size === 0) return 'None was found in .claude/agents of the project or the home; pass {"prompt": "…"}.';
  const listed = [...known.values()].slice(0, maxListed).map(({ name, description }) => {
    return description === '' ? name : `${name} (${oneLine(description, 60)})`;
  });
  const more = known.size > maxListed ? `, and ${known.size - maxListed} more` : '';
  return `There are: ${listed.join(', ')}${more}. Or pass {"prompt": "…"}.`;
}

/** Where personas are looked for, first to last. All paths absolute. */
export async function personaRoots(places: {
  /** What the person's settings add. */
  extra: readonly string[];
  cwd: string;
  home: string;
}): Promise<PersonaRoot[]> {
  const { extra, cwd, home } = places;
  return [
    ...extra.map((folder) => ({ folder })),
    ...(await projectRoots(cwd, home)),
    { folder: join(home, '.claude', 'agents') },
    { folder: join(home, '.claude', 'plugins'), ofPlugins: true },
  ];
}

/** The folder of the task and those around it, up to the top of its repository; the home is a root of its own. */
async function projectRoots(cwd: string, home: string): Promise<PersonaRoot[]> {
  const first = await realpath(cwd);
  const realHome = await realpath(home).catch(() => home);
  const folders: string[] = [];
  for (let folder = first; folder !== realHome; folder = dirname(folder)) {
    folders.push(folder);
    const isTop = await stat(join(folder, '.git')).then(Boolean, () => false);
    if (isTop) return folders.map((each) => ({ folder: join(each, '.claude', 'agents'), within: folder }));
    if (dirname(folder) === folder) break;
  }
  return first === realHome ? [] : [{ folder: join(first, '.claude', 'agents'), within: first }];
}
