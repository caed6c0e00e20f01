import * as vscode from 'vscode';
import type { Delegation } from '../../delegation/task.ts';
import type { RunRecord } from '../../journal/entry.ts';
import { registerReadOnlyFiles } from '../readOnlyFiles.ts';
import { resultPath, resultScheme, runOfAddress } from './address.ts';
import { resultText } from './resultText.ts';

/** Read-only documents that show what runs came to, with their actions on the first line. */
export class ResultDocuments implements vscode.CodeLensProvider {
  readonly #delegation: () => Promise<Delegation>;

  constructor(delegation: () => Promise<Delegation>) {
    this.#delegation = delegation;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      registerReadOnlyFiles(resultScheme, async (address) => Buffer.from(await this.#textAt(address))),
      vscode.languages.registerCodeLensProvider({ scheme: resultScheme }, this),
    );
  }

  /** `focus: 'leave'` shows it without taking the keyboard. */
  async open(record: RunRecord, focus: 'take' | 'leave'): Promise<void> {
    const address = vscode.Uri.from({ scheme: resultScheme, path: resultPath(record) });
    const document = await vscode.workspace.openTextDocument(address);
    await vscode.window.showTextDocument(document, { preview: false, preserveFocus: focus === 'leave' });
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const record = await this.#recordAt(document.uri);
    if (!record) return [];
    const lens = (title: string, command: string) =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [document.uri] });
    const hasSession = record.sessionId !== undefined;
    return [
      ...(hasSession ? [lens(vscode.l10n.t('Follow Up'), 'sallyport.followUp')] : []),
      ...(record.files.length > 0 ? [lens(vscode.l10n.t('Show Changes'), 'sallyport.showChanges')] : []),
      ...(hasSession ? [lens(vscode.l10n.t('Copy Session Handle'), 'sallyport.copyHandle')] : []),
    ];
  }

  async #textAt(address: vscode.Uri): Promise<string> {
    const delegation = await this.#delegation();
    const record = await this.#recordAt(address);
    if (!record) return vscode.l10n.t('This run is no longer in the journal.');
    const text = (await delegation.readResult(record.runId)) ?? record.message;
    const shown = text ?? vscode.l10n.t('The text of this result is no longer kept.');
    return resultText(record, shown);
  }

  async #recordAt(address: vscode.Uri): Promise<RunRecord | undefined> {
    const handle = runOfAddress(address.path)?.handle;
    return handle === undefined ? undefined : (await this.#delegation()).findRecord(handle);
  }
}
