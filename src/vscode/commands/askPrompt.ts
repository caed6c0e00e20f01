import * as vscode from 'vscode';
import { messageText } from '../messageText.ts';
import { promptWithSelection, selectionReference } from './selection.ts';

interface Asked {
  title: string;
  /** Stands in the input to begin with. */
  draft: string;
  /** Where the agent is to work. Without it, no selection goes along. */
  folder?: vscode.WorkspaceFolder;
}

/**
 * Asks what the agent should do. The selection of the active editor goes along as `path:line-line` unless the person takes
 * it out; the text of an untitled document can be the prompt. Undefined when the person gave up.
 */
export async function askPrompt({ title, draft, folder }: Asked): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const reference = editor && folder && referenceOf(editor, folder);
  const untitled = editor?.document.isUntitled ? editor.document.getText().trim() : '';
  return new Promise((resolve) => {
    const box = new PromptBox({ title, reference, draft, untitled }, resolve);
    box.show();
  });
}

/** The selection of an editor on a file, or undefined when nothing is selected. */
function referenceOf({ document, selection }: vscode.TextEditor, folder: vscode.WorkspaceFolder): string | undefined {
  if (document.uri.scheme !== 'file' || selection.isEmpty) return undefined;
  const selected = {
    file: document.uri.fsPath,
    startLine: selection.start.line,
    endLine: selection.end.line,
    endCharacter: selection.end.character,
  };
  return selectionReference(selected, folder.uri.fsPath);
}

interface PromptForm {
  title: string;
  /** Of the selection, where there is one. */
  reference: string | undefined;
  draft: string;
  /** The text of the untitled document in front, or nothing. */
  untitled: string;
}

/** One input with its two buttons. Calls `done` exactly once. */
class PromptBox {
  readonly #box = vscode.window.createInputBox();
  readonly #form: PromptForm;
  readonly #selectionButton: vscode.QuickInputButton;
  readonly #untitledButton: vscode.QuickInputButton;
  #withSelection: boolean;
  #answer: string | undefined;

  constructor(form: PromptForm, done: (answer: string | undefined) => void) {
    this.#form = form;
    this.#withSelection = form.reference !== undefined;
    this.#selectionButton = {
      iconPath: new vscode.ThemeIcon('selection'),
      tooltip: vscode.l10n.t('Take the selection along, or leave it out'),
    };
    this.#untitledButton = {
      iconPath: new vscode.ThemeIcon('note'),
      tooltip: vscode.l10n.t('Use the untitled document as the prompt'),
    };
    this.#box.title = form.title;
    this.#box.value = form.draft;
    this.#box.placeholder = vscode.l10n.t('What should be done, and how will it know that it is done?');
    this.#box.ignoreFocusOut = true;
    this.#box.buttons = [
      ...(form.reference === undefined ? [] : [this.#selectionButton]),
      ...(form.untitled === '' ? [] : [this.#untitledButton]),
    ];
    this.#box.onDidTriggerButton((button) => this.#onButton(button));
    this.#box.onDidChangeValue(() => this.#describe());
    this.#box.onDidAccept(() => this.#accept(this.#box.value.trim()));
    this.#box.onDidHide(() => {
      this.#box.dispose();
      done(this.#answer);
    });
    this.#describe();
  }

  show(): void {
    this.#box.show();
  }

  #onButton(button: vscode.QuickInputButton): void {
    if (button === this.#untitledButton) {
      this.#accept(this.#form.untitled);
      return;
    }
    this.#withSelection = !this.#withSelection;
    this.#describe();
  }

  #accept(words: string): void {
    if (words === '') {
      this.#box.validationMessage = vscode.l10n.t('Say what should be done.');
      return;
    }
    this.#answer = promptWithSelection(words, this.#withSelection ? this.#form.reference : undefined);
    this.#box.hide();
  }

  #describe(): void {
    this.#box.validationMessage = undefined;
    this.#box.prompt = this.#withSelection
      ? vscode.l10n.t('With the selection {0}', messageText(this.#form.reference ?? '', 120))
      : undefined;
  }
}
