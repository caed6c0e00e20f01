import * as vscode from 'vscode';
import { registerReadOnlyFiles } from '../readOnlyFiles.ts';
import type { RunStates } from '../services.ts';

const schemes = { before: 'sallyport-before', after: 'sallyport-after' } as const;

/** Which of the states around a run. */
type When = keyof typeof schemes;

/** Shows files as they were before and after a run, as files, so that the editor's diff shows text and pictures alike. */
export function registerKeptFiles(states: (handle: string) => Promise<RunStates | undefined>): vscode.Disposable {
  const register = (when: When) =>
    registerReadOnlyFiles(schemes[when], async (address) => {
      const { handle, path } = partsOf(address);
      const read = (await states(handle))?.[when];
      return read?.(path);
    });
  return vscode.Disposable.from(register('before'), register('after'));
}

/**
 * Address of a file before or after the run of a handle. Its path is that of the file itself, for the editor calls a diff
 * between two paths a renaming; the query says which run, and what the run calls the file.
 */
export function keptAddress(when: When, handle: string, path: string, file: vscode.Uri): vscode.Uri {
  return file.with({ scheme: schemes[when], authority: '', query: `${handle} ${path}` });
}

function partsOf({ query }: vscode.Uri): { handle: string; path: string } {
  const at = query.indexOf(' ');
  return { handle: query.slice(0, Math.max(0, at)), path: query.slice(at + 1) };
}
