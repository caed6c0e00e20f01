import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import { isInside } from '../base/inside.ts';

/** Folders of the workspace that lie on a disk. */
export function foldersOnDisk(): vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

/** Whether `path` (absolute) lies in a folder of the workspace, whatever symlinks lead there. */
export function isInWorkspace(path: string): boolean {
  const real = realPath(path);
  return foldersOnDisk().some(({ uri }) => isInside(real, realPath(uri.fsPath)));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
