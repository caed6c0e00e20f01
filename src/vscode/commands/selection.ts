import { relative, sep } from 'node:path';
import { isInside } from '../../base/inside.ts';

/** A selection in an editor. Lines count from 0; `endCharacter` 0 means the last line is not part of it. */
export interface Selected {
  /** Absolute. */
  file: string;
  startLine: number;
  endLine: number;
  endCharacter: number;
}

/**
 * Names a selection as `path:line-line` (`path:line` for one line), lines from 1, the path relative to `folder` where it
 * lies inside, with forward slashes.
 */
export function selectionReference(selected: Selected, folder: string): string {
  const path = isInside(selected.file, folder) ? relative(folder, selected.file).split(sep).join('/') : selected.file;
  const first = selected.startLine + 1;
  const endsBeforeLine = selected.endCharacter === 0 && selected.endLine > selected.startLine;
  const last = endsBeforeLine ? selected.endLine : selected.endLine + 1;
  return last > first ? `${path}:${first}-${last}` : `${path}:${first}`;
}

/** The prompt as the worker gets it: the person's words, then where the selection is. */
export function promptWithSelection(words: string, reference: string | undefined): string {
  return reference === undefined ? words : `${words}\n\nThis is about the selection at ${reference}.`;
}
