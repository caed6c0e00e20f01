import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { agentItem } from './agentItem.ts';
import type { AgentRow } from './agentRow.ts';

/** The sessions that are seen. */
export interface SeenSessions {
  /** A look would show something else. */
  readonly onDidChange: Event<void>;
  /** Those that live, then those that have ended. `again`: terminals that were out of reach are looked for once more. */
  look(again: boolean): AgentRow[];
}

export interface AgentsViewDeps {
  /** Asked when the view is first seen, and not in Restricted Mode. */
  sessions(): Promise<SeenSessions>;
}

/** The Agents view: the sessions of Cursor that are seen. */
export class AgentsView implements vscode.TreeDataProvider<AgentRow>, vscode.Disposable {
  readonly #deps: AgentsViewDeps;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<AgentRow>;
  readonly #owned = new DisposableStore();
  #sessions: SeenSessions | undefined;
  #again = false;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: AgentsViewDeps) {
    this.#deps = deps;
    this.#view = vscode.window.createTreeView('sallyport.agents', { treeDataProvider: this });
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire(undefined)));
    this.#view.onDidChangeVisibility(({ visible }) => {
      this.#again = visible;
      if (visible) this.#changed.fire(undefined);
    });
  }

  getTreeItem(row: AgentRow): vscode.TreeItem {
    return agentItem(row);
  }

  async getChildren(row?: AgentRow): Promise<AgentRow[]> {
    if (row || !vscode.workspace.isTrusted) return [];
    const sessions = await this.#deps.sessions();
    if (sessions !== this.#sessions) {
      this.#sessions = sessions;
      this.#owned.add(sessions.onDidChange(() => this.#view.visible && this.#changed.fire(undefined)));
    }
    const again = this.#again;
    this.#again = false;
    return sessions.look(again);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }
}
