import { join, resolve } from 'node:path';
import { mustRun } from '../../scripts/command.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** Packages the bundles as they are under a version above any; returns the path of the VSIX, in a folder of the caller's. */
export async function newerPackage(folder: string): Promise<string> {
  const vsix = join(folder, 'newer.vsix');
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const leave = ['--no-dependencies', '--no-update-package-json', '--no-git-tag-version'];
  await mustRun(process.execPath, [vsce, 'package', '99.0.0', ...leave, '-o', vsix], { cwd: root });
  return vsix;
}
