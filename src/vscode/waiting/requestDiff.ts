import { readFile, stat } from 'node:fs/promises';
import { basename, isAbsolute, resolve } from 'node:path';
import * as vscode from 'vscode';
import { oneLine } from '../../base/displayText.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { PendingRequest } from '../../protocol/request.ts';
import { registerReadOnlyFiles } from '../readOnlyFiles.ts';
import { isDelivered } from './cardModel.ts';
import { proposedChanges, type ProposedChange } from './proposedChange.ts';
import { showsOnly } from './shownTabs.ts';

const scheme = 'sallyport-request';
/** Larger files are not compared. */
const maxBytes = 5_000_000;
/** How many texts are kept for the tabs that show them. */
const maxTexts = 100;

/**
 * Shows what a request would change in the editor's own comparison, for as long as it waits: the tabs close with it, but for
 * those that the person has pinned. Nothing is written.
 */
export class RequestDiffs implements Disposable {
  readonly #texts = new Map<string, Uint8Array>();
  /** The addresses that were opened for each request. */
  readonly #opened = new Map<string, Set<string>>();
  #files: Disposable | undefined;
  #count = 0;

  /** Opens one comparison, or all files of a patch together (which always take the focus). */
  async open(request: PendingRequest, focus: 'take' | 'leave'): Promise<void> {
    if (request.kind !== 'permission') return;
    this.#files ??= registerReadOnlyFiles(scheme, (address) => Promise.resolve(this.#texts.get(address.toString())));
    const folder = request.session.cwd ?? '/';
    const changes = await proposedChanges(request.subject, (path) => readText(resolve(folder, path)));
    const pairs = changes.map((change) => this.#pair(change, folder));
    const [first] = pairs;
    if (!first) return;
    const addresses = this.#opened.get(request.id) ?? new Set();
    this.#opened.set(request.id, addresses);
    for (const { before, after } of pairs) addresses.add(before.toString()).add(after.toString());
    if (pairs.length === 1) {
      const options = { preview: true, preserveFocus: focus === 'leave' };
      await vscode.commands.executeCommand('vscode.diff', first.before, first.after, first.title, options);
      return;
    }
    const title = vscode.l10n.t('Proposed changes');
    await vscode.commands.executeCommand(
      'vscode.changes',
      title,
      pairs.map(({ before, after }) => [after, before, after]),
    );
  }

  /** Closes what was opened for requests that wait no more. */
  update(requests: readonly PendingRequest[]): void {
    const waiting = new Set(requests.filter(({ delivery }) => !isDelivered(delivery)).map(({ id }) => id));
    for (const [id, addresses] of this.#opened) {
      if (waiting.has(id)) continue;
      this.#opened.delete(id);
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      const ours = tabs.filter((tab) => !tab.isPinned && !tab.isDirty && showsOnly(tab.input, addresses));
      if (ours.length > 0) void vscode.window.tabGroups.close(ours, true);
    }
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
