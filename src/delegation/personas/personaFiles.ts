import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { isInside } from '../../base/inside.ts';
import { readPersona } from './personaText.ts';

/** A folder whose Markdown files are personas, at any depth. */
export interface PersonaRoot {
  /** Absolute; need not exist. */
  folder: string;
  /** Where its real path must lie: a link in somebody's project must not lead out of that project. */
  within?: string;
  /** Plugins hold other Markdown too: only what lies below a folder called `agents` counts. */
  ofPlugins?: true;
}

/** A persona that can be asked for. */
export interface Persona {
  /** What its front matter says, else its file's name. */
  name: string;
  /** The plugin or folder it belongs to, for `scope:name`. */
  scope: string;
  description: string;
  body: string;
  /** When its file was changed last, in ms since the epoch. */
  changedAt: number;
}

const maxDepth = 8;
/** Of one root, so that a folder which holds half a disk costs a moment and no more. */
const maxEntries = 20_000;
const maxFiles = 2_000;
/** Longer files are no instructions: a worker takes 100,000 bytes of those. */
const maxBytes = 256 * 1024;

/** Every persona in a root. Links that lead out of it are not followed; what cannot be read is not there. */
export async function personasIn(root: PersonaRoot): Promise<Persona[]> {
  const top = await realpath(root.folder).catch(() => undefined);
  if (top === undefined || (root.within !== undefined && !isInside(top, root.within))) return [];
  const personas: Persona[] = [];
  for (const file of await markdownIn(top)) {
    if (root.ofPlugins && !foldersBelow(top, file.folder).includes(agents)) continue;
    const persona = await personaOf(file, top).catch(() => undefined);
    if (persona) personas.push(persona);
  }
  return personas;
}

const agents = 'agents';
const foldersBelow = (top: string, folder: string) => relative(top, folder).split(sep);

/** A file inside the root: where it was found, and where it really lies. */
interface Found {
  folder: string;
  name: string;
  real: string;
}

async function markdownIn(top: string): Promise<Found[]> {
  const files: Found[] = [];
  const seen = new Set([top]);
  let entries = 0;
  let level = [top];
  for (let depth = 0; level.length > 0 && depth < maxDepth; depth += 1) {
    const below: string[] = [];
    for (const folder of level) {
      for (const entry of await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])) {
        entries += 1;
        if (entries > maxEntries || files.length >= maxFiles) return files;
        const found = await follow(folder, entry, top);
        if (found?.isFolder === false) files.push(found);
        if (!found?.isFolder || seen.has(found.real)) continue;
        seen.add(found.real);
        below.push(join(folder, entry.name));
      }
    }
    level = below;
  }
  return files;
}

/** Undefined for what is neither a folder to look into nor a Markdown file, and for links out of the root. */
async function follow(
  folder: string,
  entry: Dirent,
  top: string,
): Promise<(Found & { isFolder: boolean }) | undefined> {
  const { name } = entry;
  if (name.startsWith('.') || name === 'node_modules') return undefined;
  const path = join(folder, name);
  const isLink = entry.isSymbolicLink();
  const real = isLink ? await realpath(path).catch(() => undefined) : path;
  if (real === undefined || !isInside(real, top)) return undefined;
  const kind = isLink ? await stat(real).catch(() => undefined) : entry;
  if (kind?.isDirectory()) return { folder, name, real, isFolder: true };
  return kind?.isFile() && name.endsWith('.md') ? { folder, name, real, isFolder: false } : undefined;
}

async function personaOf({ folder, name, real }: Found, top: string): Promise<Persona | undefined> {
  const file = await readSmall(real);
  const { name: called = basename(name, '.md'), description = '', body } = readPersona(file?.text ?? '');
  if (!file || body === '') return undefined;
  const scope = (await pluginOf(folder, top)) ?? folderOf(folder);
  return { name: called, scope, description, body, changedAt: file.changedAt };
}

const folderOf = (folder: string) => folder.split(sep).findLast((part) => part !== agents && !isVersion(part)) ?? '';

/** What stands between a plugin's name and its files in Claude Code's cache: a version, or a commit. */
const isVersion = (folder: string) => /^(?:v?\d+(?:\.\d+)*(?:[-+].*)?|[0-9a-f]{7,40}|unknown)$/.test(folder);

/** The name in the manifest beside the nearest `agents`, as Claude Code's plugins have it. */
async function pluginOf(folder: string, top: string): Promise<string | undefined> {
  const parts = foldersBelow(top, folder);
  const plugin = join(top, ...parts.slice(0, Math.max(0, parts.lastIndexOf(agents))));
  const manifest = await realpath(join(plugin, '.claude-plugin', 'plugin.json')).catch(() => undefined);
  if (manifest === undefined || !isInside(manifest, top)) return undefined;
  try {
    const content: unknown = JSON.parse((await readSmall(manifest))?.text ?? '');
    const named = typeof content === 'object' && content && 'name' in content;
    return named && typeof content.name === 'string' ? content.name : undefined;
  } catch {
    return undefined;
  }
}

async function readSmall(path: string): Promise<{ text: string; changedAt: number } | undefined> {
  const found = await stat(path);
  if (!found.isFile() || found.size > maxBytes) return undefined;
  return { text: await readFile(path, 'utf8'), changedAt: found.mtimeMs };
}
