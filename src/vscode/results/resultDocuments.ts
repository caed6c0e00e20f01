import * as vscode from 'vscode';
import type { Delegation } from '../../delegation/task.ts';
import type { RunRecord } from '../../journal/entry.ts';
import { registerReadOnlyFiles } from '../readOnlyFiles.ts';
import { type Offer, offersOf, offerWords } from '../runs/runNode.ts';
import { type DocumentForm, formOfAddress, resultPath, resultScheme, runOfAddress } from './address.ts';
import { documentLinks, renderedText } from './fileLinks.ts';
import { resultText } from './resultText.ts';
import { transcriptText } from './transcriptText.ts';
import { said } from '../l10n.ts';

/** The editor's own Markdown preview, as an editor of a file. */
const previewEditor = 'vscode.markdown.preview.editor';

/** Read-only documents that show what runs came to and what they did, with their actions on the first line. */
export class ResultDocuments implements vscode.CodeLensProvider, vscode.DocumentLinkProvider {
  readonly #delegation: () => Promise<Delegation>;
  /** Addresses of documents that were shown, by what can be done with their run: the title's buttons depend on it. */
  readonly #offers = new Map<Offer, Set<string>>(offerWords.map((word) => [word, new Set()]));

  constructor(delegation: () => Promise<Delegation>) {
    this.#delegation = delegation;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      registerReadOnlyFiles(resultScheme, async (address) => Buffer.from(await this.#textAt(address))),
      vscode.languages.registerCodeLensProvider({ scheme: resultScheme }, this),
      vscode.languages.registerDocumentLinkProvider({ scheme: resultScheme }, this),
    );
  }

  /** `focus: 'leave'` shows it without taking the keyboard. */
  async open(record: RunRecord, focus: 'take' | 'leave'): Promise<void> {
    const options = { preview: false, preserveFocus: focus === 'leave' };
    await vscode.window.showTextDocument(addressOf(record, 'result', ''), options);
  }

  async openTranscript(record: RunRecord): Promise<void> {
    const address = addressOf(record, 'transcript', vscode.l10n.t('Transcript'));
    await vscode.window.showTextDocument(address, { preview: false });
  }

  /** Shows the result as the editor renders Markdown. */
  async openRendered(record: RunRecord): Promise<void> {
    await vscode.commands.executeCommand('vscode.openWith', addressOf(record, 'rendered', ''), previewEditor);
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const record = await this.#recordAt(document.uri);
    if (!record) return [];
    const offers = offersOf(record);
    const lens = (title: string, command: string) =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [document.uri] });
    return [
      ...(offers.includes('session') ? [lens(vscode.l10n.t('Follow Up'), 'sallyport.followUp')] : []),
      ...(offers.includes('changes') ? [lens(vscode.l10n.t('Show Changes'), 'sallyport.showChanges')] : []),
      ...(offers.includes('revert') ? [lens(vscode.l10n.t('Revert This Run'), 'sallyport.revertRun')] : []),
      ...otherForms(document.uri).map(([title, command]) => lens(title, command)),
      lens(vscode.l10n.t('Delegate Again…'), 'sallyport.delegateAgain'),
      ...(offers.includes('session') ? [lens(vscode.l10n.t('Copy Session Handle'), 'sallyport.copyHandle')] : []),
    ];
  }

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const record = await this.#recordAt(document.uri);
    return record ? documentLinks(document, record) : [];
  }

  async #textAt(address: vscode.Uri): Promise<string> {
    const record = await this.#recordAt(address);
    if (!record) return vscode.l10n.t('This run is no longer in the journal.');
    await this.#noteOffers(address, record);
    const form = formOfAddress(address);
    if (form === 'transcript') return this.#transcriptOf(record);
    const text = await this.#resultOf(record);
    return form === 'rendered' ? renderedText(text, record) : text;
  }

  async #resultOf(record: RunRecord): Promise<string> {
    const text =
      (await (await this.#delegation()).readResult(record.runId)) ??
      (record.message && said(record.message, vscode.l10n));
    return resultText(record, text ?? vscode.l10n.t('The text of this result is no longer kept.'));
  }

  async #transcriptOf(record: RunRecord): Promise<string> {
    const kept = await (await this.#delegation()).readTranscript(record.runId);
    return kept ? transcriptText(record, kept) : vscode.l10n.t('The steps of this run are not kept (any more).');
  }

  async #noteOffers(address: vscode.Uri, record: RunRecord): Promise<void> {
    for (const word of offersOf(record)) {
      const known = this.#offers.get(word)?.add(address.toString());
      await vscode.commands.executeCommand('setContext', `sallyport.results.${word}`, [...(known ?? [])]);
    }
  }

  async #recordAt(address: vscode.Uri): Promise<RunRecord | undefined> {
    const handle = runOfAddress(address.path)?.handle;
    return handle === undefined ? undefined : (await this.#delegation()).findRecord(handle);
  }
}

function addressOf(record: RunRecord, form: DocumentForm, prefix: string): vscode.Uri {
  const query = form === 'result' ? '' : form;
  return vscode.Uri.from({ scheme: resultScheme, path: resultPath(record, prefix), query });
}

/** What else there is to read of the run of a document: title and command. */
function otherForms(address: vscode.Uri): [title: string, command: string][] {
  return formOfAddress(address) === 'transcript'
    ? [[vscode.l10n.t('Open Result'), 'sallyport.openResult']]
    : [
        [vscode.l10n.t('Render'), 'sallyport.showRendered'],
        [vscode.l10n.t('Show Transcript'), 'sallyport.showTranscript'],
      ];
}
