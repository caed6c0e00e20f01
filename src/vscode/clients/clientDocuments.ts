import * as vscode from 'vscode';
import { cliClients } from '../../clients/clientTable.ts';
import { commandLine } from '../../clients/commandLine.ts';
import type { LauncherCommand } from '../../clients/launcherScript.ts';
import { type Snippet, snippetsFor } from '../../clients/snippets.ts';

const scheme = 'sallyport-client';

/** Read-only pages that say what to tell a client. Nobody else's file is written. */
export class ClientDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #server: LauncherCommand;
  readonly #registration: vscode.Disposable;

  constructor(server: LauncherCommand) {
    this.#server = server;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  /** `client` is one of the snippets', or undefined for all of them. */
  async open(client: string | undefined): Promise<void> {
    const name = client ?? vscode.l10n.t('Other Clients');
    const address = vscode.Uri.from({ scheme, path: `/${name}.md`, query: client ?? '' });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(address), { preview: false });
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    const snippets = snippetsFor(this.#server);
    const wanted = snippets.filter(({ client }) => query === '' || client === query);
    const parts = [
      `# ${query === '' ? vscode.l10n.t('Sallyport in other clients') : vscode.l10n.t('Sallyport in {0}', query)}`,
      vscode.l10n.t(
        'Put the entry into the file named above it, beside the entries that are there, and start the client anew. Sallyport writes into no file of another program. To undo it, delete the entry "sallyport" again.',
      ),
      ...(query === '' ? [this.#commands()] : []),
      ...wanted.map(section),
      vscode.l10n.t(
        'The command stays the same when Sallyport or the editor is updated. Settings for this server are environment variables such as SALLYPORT_MAX_RUN_MINUTES; it does not know the settings of this editor.',
      ),
    ];
    return `${parts.join('\n\n')}\n`;
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #commands(): string {
    const lines = cliClients.map(({ program, scopes, add }) =>
      commandLine([program, ...add(this.#server, scopes[0])], process.platform),
    );
    return [`## ${vscode.l10n.t('Clients with a command for it')}`, '', '```sh', ...lines, '```'].join('\n');
  }
}

function section({ client, file, how, language, text }: Snippet): string {
  const place = how === undefined ? `\`${file}\`` : `\`${file}\` (${how})`;
  return `## ${client}\n\n${place}\n\n\`\`\`${language}\n${text}\n\`\`\``;
}
