import type * as vscode from 'vscode';
import { registerReadOnlyFiles } from '../readOnlyFiles.ts';
import type { ReadBefore } from '../services.ts';

const scheme = 'sallyport-before';

/** Shows files as they were before a run, as files, so that the editor's diff shows text and pictures alike. */
export function registerBeforeFiles(before: (handle: string) => Promise<ReadBefore | undefined>): vscode.Disposable {
  return registerReadOnlyFiles(scheme, async (address) => {
    const { handle, path } = partsOf(address);
    const read = await before(handle);
    return read?.(path);
  });
}

/**
 * Address of a file before the run of a handle. Its path is that of the file itself, for the editor calls a diff between
 * two paths a renaming; the query says which run, and what the run calls the file.
 */
export function beforeAddress(handle: string, path: string, file: vscode.Uri): vscode.Uri {
  return file.with({ scheme, authority: '', query: `${handle} ${path}` });
}

function partsOf({ query }: vscode.Uri): { handle: string; path: string } {
  const at = query.indexOf(' ');
  return { handle: query.slice(0, Math.max(0, at)), path: query.slice(at + 1) };
}
