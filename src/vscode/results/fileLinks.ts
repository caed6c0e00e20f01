import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import type { RunRecord } from '../../journal/entry.ts';
import { foldersOnDisk, workspaceLookup } from '../workspaceFolders.ts';
import { type FileReference, fileReferences, withLinks } from './fileReferences.ts';

/**
 * Finds the files that a run's texts name: as it named them, from its folder, and only in the folders of the workspace. A
 * run in a worktree named files of that; the person has them in the folder it was made of.
 */
function fileFinder({ cwd, origin }: Pick<RunRecord, 'cwd' | 'origin'>): (path: string) => string | undefined {
  const isInWorkspace = workspaceLookup();
  const known = new Map<string, string | undefined>();
  const look = (path: string): string | undefined => {
    const place = isAbsolute(path) ? path : resolve(origin ?? cwd, path);
    const isThere = isInWorkspace(place) && statSync(place, { throwIfNoEntry: false })?.isFile() === true;
    return isThere ? place : undefined;
  };
  return (path) => {
    if (!known.has(path)) known.set(path, lookSafely(look, path));
    return known.get(path);
  };
}

/** A path that the system cannot look at (a part of it is a file, or too long) names nothing. */
function lookSafely(look: (path: string) => string | undefined, path: string): string | undefined {
  try {
    return look(path);
  } catch {
    return undefined;
  }
}

/** The places in files that a document names, as links of the editor. */
export function documentLinks(document: vscode.TextDocument, record: RunRecord): vscode.DocumentLink[] {
  const find = fileFinder(record);
  return fileReferences(document.getText()).flatMap(({ start, end, path, line, column }) => {
    const place = find(path);
    if (place === undefined) return [];
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const at = line === undefined ? '' : column === undefined ? `L${line}` : `L${line},${column}`;
    return [new vscode.DocumentLink(range, vscode.Uri.file(place).with({ fragment: at }))];
  });
}

/**
 * The Markdown text with links that the editor's preview follows: there, a path from the root means one in the first
 * folder of the workspace, and no other addresses of files are taken.
 */
export function renderedText(text: string, record: RunRecord): string {
  const find = fileFinder(record);
  const first = foldersOnDisk()[0]?.uri.fsPath;
  return withLinks(text, ({ path, line }: FileReference) => {
    const place = find(path);
    const way = place === undefined || first === undefined ? undefined : relative(first, place);
    if (way === undefined || isAbsolute(way) || way.startsWith('..')) return undefined;
    const address = way
      .split(sep)
      .map(encodeURIComponent)
      .join('/')
      .replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
    return `/${address}${line === undefined ? '' : `#L${line}`}`;
  });
}
