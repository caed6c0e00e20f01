import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { withLockFile } from './lockFile.mjs';

const toolsFolder = resolve(import.meta.dirname, '..', 'tools');

/** Raise it when the way a tool is installed changes, so that caches filled the old way are not used. */
const recipe = 1;

/**
 * The folder that keeps the installed tools: `SALLYPORT_TOOLS_CACHE` or the user's cache folder, then one folder per
 * lock file and platform, so that every clone with the same pins shares it. It need not exist.
 */
export function toolCacheFolder(): string {
  const override = process.env.SALLYPORT_TOOLS_CACHE;
  const root = override ? resolve(override) : envPaths('sallyport-tools', { suffix: '' }).cache;
  const key = createHash('sha256')
    .update(`${recipe} ${process.platform} ${process.arch}\n`)
    .update(readFileSync(join(toolsFolder, 'package-lock.json')))
    .digest('hex');
  return join(root, key.slice(0, 16));
}

/**
 * The folder of one tool in the cache, filled by `install` if it is not there. `install` gets a scratch folder with the
 * pinned manifests; what it leaves there becomes the tool's folder in one rename, so no one ever sees half a tool.
 */
export async function cachedTool(name: string, install: (folder: string) => Promise<void>): Promise<string> {
  const target = join(toolCacheFolder(), name);
  if (existsSync(target)) return target;
  await withLockFile(`${target}.lock`, async () => {
    if (existsSync(target)) return;
    await mkdir(dirname(target), { recursive: true });
    const scratch = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
    try {
      await cp(toolsFolder, scratch, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
      await writeFile(join(scratch, '.npmrc'), 'update-notifier=false\n');
      await install(scratch);
      await rename(scratch, target);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  });
  return target;
}
