import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import { isInside } from '../base/inside.ts';

/** Folders of the workspace that lie on a disk. */
export function foldersOnDisk(): vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

/** Whether `path` (absolute) lies in a folder of the workspace, whatever symlinks lead there. */
export function isInWorkspace(path: string): boolean {
  return workspaceLookup()(path);
}

/** `isInWorkspace` for many paths at one moment: each is looked at once. */
export function workspaceLookup(): (path: string) => boolean {
  const folders = foldersOnDisk().map(({ uri }) => realPath(uri.fsPath));
  const known = new Map<string, boolean>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const real = realPath(path);
    const found = folders.some((folder) => isInside(real, folder));
    known.set(path, found);
    return found;
  };
}

/** The path behind all links, or the path itself where there is none. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
