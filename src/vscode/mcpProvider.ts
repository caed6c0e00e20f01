import * as vscode from 'vscode';
import type { Logger } from '../base/logger.ts';
import { areThere, reloadAdvice } from '../base/ownFiles.ts';
import { said } from './l10n.ts';
import { foldersOnDisk } from './workspaceFolders.ts';

/** How the server process finds the window that started it. */
export interface RelayAddress {
  socket: string;
  token: string;
}

export interface McpProviderDeps {
  log: Logger;
  /** The extension's own: the editor looks at the tools anew when it changes. */
  version: string;
  /** Absolute path of the server program, dist/mcp.cjs. */
  program: string;
  /** Opens this window's private socket on first use. */
  relay(): Promise<RelayAddress>;
}

/**
 * Offers Sallyport's MCP server to the editor's chat. The process the editor starts only relays to this window. Hosts
 * without the API (it is VS Code 1.101's) get the rest of the extension.
 */
export function registerMcpProvider(deps: McpProviderDeps): vscode.Disposable {
  if (!hostHasMcp()) {
    deps.log.warn(
      'This editor takes no MCP servers from extensions. "Add Sallyport to Another Client…" shows how its chat gets the tools.',
    );
    return new vscode.Disposable(() => undefined);
  }
  const provider = new McpProvider(deps);
  return vscode.Disposable.from(provider, vscode.lm.registerMcpServerDefinitionProvider('sallyport', provider));
}

/** Whether this editor takes MCP servers from extensions. The type declarations promise what older and other editors do not have. */
export function hostHasMcp(): boolean {
  const lm: unknown = Reflect.get(vscode, 'lm');
  return typeof lm === 'object' && lm !== null && 'registerMcpServerDefinitionProvider' in lm;
}

class McpProvider implements vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition>, vscode.Disposable {
  readonly #deps: McpProviderDeps;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;

  readonly onDidChangeMcpServerDefinitions = this.#changed.event;

  constructor(deps: McpProviderDeps) {
    this.#deps = deps;
    const changed = () => this.#changed.fire();
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidGrantWorkspaceTrust(changed),
      vscode.workspace.onDidChangeWorkspaceFolders(changed),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('sallyport') && changed()),
    );
  }

  /** Cheap, and asks nothing: the editor calls this whenever it likes. */
  provideMcpServerDefinitions(): vscode.McpStdioServerDefinition[] {
    if (!vscode.workspace.isTrusted) return [];
    const { program, version } = this.#deps;
    const env = { ELECTRON_RUN_AS_NODE: '1' };
    const server = new vscode.McpStdioServerDefinition('Sallyport', process.execPath, [program], env, version);
    const folder = foldersOnDisk()[0];
    if (folder) server.cwd = folder.uri;
    return [server];
  }

  /** Called when the server is about to start. An error here is what the person sees. */
  async resolveMcpServerDefinition(
    server: vscode.McpStdioServerDefinition,
  ): Promise<vscode.McpStdioServerDefinition | undefined> {
    if (!vscode.workspace.isTrusted) {
      throw new Error(
        vscode.l10n.t('Sallyport starts no agent in Restricted Mode. Trust this workspace to use its tools.'),
      );
    }
    if (!(await areThere([this.#deps.program]))) throw new Error(said(reloadAdvice.window, vscode.l10n));
    const { socket, token } = await this.#deps.relay();
    server.env = { ...server.env, SALLYPORT_SOCKET: socket, SALLYPORT_TOKEN: token };
    return server;
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }
}
