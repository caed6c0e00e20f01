import * as vscode from 'vscode';
import type { ReadBefore } from '../services.ts';

const scheme = 'sallyport-before';

/** Files as they were before a run, as a read-only file system, so that the editor's diff shows text and pictures alike. */
export class BeforeFiles implements vscode.FileSystemProvider {
  readonly #before: (handle: string) => Promise<ReadBefore | undefined>;
  readonly #never = new vscode.EventEmitter<vscode.FileChangeEvent[]>();

  readonly onDidChangeFile = this.#never.event;

  constructor(before: (handle: string) => Promise<ReadBefore | undefined>) {
    this.#before = before;
  }

  register(): vscode.Disposable {
    return vscode.workspace.registerFileSystemProvider(scheme, this, { isReadonly: true });
  }

  async stat(address: vscode.Uri): Promise<vscode.FileStat> {
    const { byteLength } = await this.readFile(address);
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: byteLength };
  }

  async readFile(address: vscode.Uri): Promise<Uint8Array> {
    const { handle, path } = partsOf(address);
    const read = await this.#before(handle);
    const bytes = await read?.(path);
    if (!bytes) throw vscode.FileSystemError.FileNotFound(address);
    return bytes;
  }

  /** What was before does not change any more. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [] {
    return [];
  }

  createDirectory(address: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(address);
  }

  writeFile(address: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(address);
  }

  delete(address: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(address);
  }

  rename(address: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(address);
  }
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
