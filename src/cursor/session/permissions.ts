import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { readSmallJson } from '../smallJson.ts';

/** The person's rules in cursor-agent's own notation, such as `Shell(git)`. */
export interface Permissions {
  allow: readonly string[];
  deny: readonly string[];
}

const rules = z
  .array(z.unknown())
  .transform((items) => items.filter((item) => typeof item === 'string'))
  .optional()
  .catch(undefined);

/** Of these files only the two lists are read; the first of them also holds the person's sign-in. */
const configSchema = z.object({ permissions: z.object({ allow: rules, deny: rules }) });

/** How many folders are looked through between the working folder and the top of its repository. */
const maxFolders = 32;

/**
 * The rules of a session: `cli-config.json` of its configuration folder, then `.cursor/cli.json` of every folder from the top
 * of the repository down to the working folder; a list of a deeper one replaces the former. What cannot be read counts as
 * not there.
 */
export async function readPermissions(root: string, cwd: string | undefined): Promise<Permissions> {
  const projects = cwd === undefined ? [] : await projectFolders(cwd);
  const files = [join(root, 'cli-config.json'), ...projects.map((folder) => join(folder, '.cursor', 'cli.json'))];
  const merged: Permissions = { allow: [], deny: [] };
  for (const file of files) {
    const { allow, deny } = configSchema.safeParse(await readSmallJson(file)).data?.permissions ?? {};
    merged.allow = allow ?? merged.allow;
    merged.deny = deny ?? merged.deny;
  }
  return merged;
}

/** From the top of the repository down; only the working folder where there is no repository. */
async function projectFolders(cwd: string): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = cwd; folders.length < maxFolders; folder = dirname(folder)) {
    folders.unshift(folder);
    const isTop = await stat(join(folder, '.git')).then(
      () => true,
      () => false,
    );
    if (isTop) return folders;
    if (dirname(folder) === folder) break;
  }
  return [cwd];
}
