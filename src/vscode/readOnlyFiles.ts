import * as vscode from 'vscode';

/**
 * Registers files that can only be read, at addresses of a scheme. `read` tells the bytes of a file, undefined where there
 * is none; what it told once does not change. As files, unlike mere documents, they are open again after a reload.
 */
export function registerReadOnlyFiles(
  scheme: string,
  read: (address: vscode.Uri) => Promise<Uint8Array | undefined>,
): vscode.Disposable {
  return vscode.workspace.registerFileSystemProvider(scheme, new ReadOnlyFiles(read), { isReadonly: true });
}

class ReadOnlyFiles implements vscode.FileSystemProvider {
  readonly #read: (address: vscode.Uri) => Promise<Uint8Array | undefined>;
  readonly #never = new vscode.EventEmitter<vscode.FileChangeEvent[]>();

  readonly onDidChangeFile = this.#never.event;

  constructor(read: (address: vscode.Uri) => Promise<Uint8Array | undefined>) {
    this.#read = read;
  }

  async stat(address: vscode.Uri): Promise<vscode.FileStat> {
    const { byteLength } = await this.readFile(address);
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: byteLength };
  }

  async readFile(address: vscode.Uri): Promise<Uint8Array> {
    const bytes = await this.#read(address);
    if (!bytes) throw vscode.FileSystemError.FileNotFound(address);
    return bytes;
  }

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
