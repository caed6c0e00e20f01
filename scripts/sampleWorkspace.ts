import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { mustRun } from './command.ts';
import { ensureTool } from './setup.ts';

const source = resolve(import.meta.dirname, '..', 'test', 'fixtures', 'sampleWorkspace');

/**
 * Copies the sample project (a greeter with a bug and a failing test) to `folder`, adds files (text by path) and makes it a
 * git repository.
 */
export async function createSampleWorkspace(
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  await cp(source, folder, { recursive: true });
  for (const [path, text] of Object.entries(more)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const git = await ensureTool('git');
  const identity = ['-c', 'user.name=Sample', '-c', 'user.email=sample@example.invalid', '-c', 'commit.gpgsign=false'];
  const hooks = ['-c', 'core.hooksPath=/dev/null', '-c', 'init.defaultBranch=main'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'A greeter'],
  ]) {
    await mustRun(git, [...identity, ...hooks, ...args], { cwd: folder });
  }
}
