import { readFile, stat } from 'node:fs/promises';
import { basename, isAbsolute, resolve } from 'node:path';
import * as vscode from 'vscode';
import { oneLine } from '../../base/displayText.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { PendingRequest } from '../../protocol/request.ts';
import { registerReadOnlyFiles } from '../readOnlyFiles.ts';
import { proposedChanges, type ProposedChange } from './proposedChange.ts';

const scheme = 'sallyport-request';
/** Larger files are not compared. */
const maxBytes = 5_000_000;
/** How many texts are kept for the tabs that show them. */
const maxTexts = 100;

/** Shows what a request would change in the editor's own comparison. Nothing is written. */
export class RequestDiffs implements Disposable {
  readonly #texts = new Map<string, Uint8Array>();
  #files: Disposable | undefined;
  #count = 0;

  /** Opens one comparison, or all files of a patch together. */
  async open(request: PendingRequest): Promise<void> {
    if (request.kind !== 'permission') return;
    this.#files ??= registerReadOnlyFiles(scheme, (address) => Promise.resolve(this.#texts.get(address.toString())));
    const folder = request.session.cwd ?? '/';
    const changes = await proposedChanges(request.subject, (path) => readText(resolve(folder, path)));
    const pairs = changes.map((change) => this.#pair(change, folder));
    const [first] = pairs;
    if (!first) return;
    if (pairs.length === 1) {
      await vscode.commands.executeCommand('vscode.diff', first.before, first.after, first.title, { preview: true });
      return;
    }
    const title = vscode.l10n.t('Proposed changes');
    await vscode.commands.executeCommand(
      'vscode.changes',
      title,
      pairs.map(({ before, after }) => [after, before, after]),
    );
  }

  dispose(): void {
    this.#files?.dispose();
    this.#texts.clear();
  }

  #pair({ path, onDisk, before, after }: ProposedChange, folder: string) {
    const file = vscode.Uri.file(isAbsolute(path) ? path : resolve(folder, path));
    const name = oneLine(basename(path), 80);
    const title = onDisk
      ? vscode.l10n.t('{0} (as it is ↔ proposed)', name)
      : vscode.l10n.t('{0} (the proposed change alone)', name);
    return { title, before: this.#keep(file, 'before', before), after: this.#keep(file, 'after', after) };
  }

  /** At an address that has the file's own path, so that the editor knows its language. */
  #keep(file: vscode.Uri, side: string, text: string): vscode.Uri {
    this.#count += 1;
    const address = file.with({ scheme, authority: '', query: `${side} ${this.#count}` });
    this.#texts.set(address.toString(), new TextEncoder().encode(text));
    for (const oldest of [...this.#texts.keys()].slice(0, -maxTexts)) this.#texts.delete(oldest);
    return address;
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) return undefined;
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch {
    return undefined;
  }
}
