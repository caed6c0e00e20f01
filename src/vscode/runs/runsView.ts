import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Delegation, LiveRun } from '../../delegation/task.ts';
import type { RunRecord } from '../../journal/entry.ts';
import { dayItem, runItem } from './runItem.ts';
import { arrange, type RunNode, type RunsNode } from './runNode.ts';

export interface RunsViewDeps {
  /** Runs of this workspace that any process recorded, newest first. */
  history(): Promise<readonly RunRecord[]>;
  /** Whether any agent could be delegated to. May start processes, so it is asked only where nothing ran yet. */
  hasAgents(): Promise<boolean>;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** How often the elapsed time of live runs is redrawn while the view is visible. */
const tickMs = 1_000;

/** The Runs view: live runs, then past ones by day. Reads the journal when it is shown and when a run starts or ends. */
export class RunsView implements vscode.TreeDataProvider<RunsNode>, vscode.Disposable {
  readonly #deps: RunsViewDeps;
  readonly #changed = new vscode.EventEmitter<RunsNode | undefined>();
  readonly #view: vscode.TreeView<RunsNode>;
  readonly #rows = new Map<string, RunNode>();
  readonly #subscriptions = new DisposableStore();
  #delegation: Delegation | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #liveIds = '';

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: RunsViewDeps) {
    this.#deps = deps;
    this.#view = vscode.window.createTreeView('sallyport.runs', { treeDataProvider: this });
    this.#subscriptions.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.refresh()));
    this.#view.onDidChangeVisibility(({ visible }) => {
      if (visible) this.refresh();
      this.#tickWhileNeeded();
    });
  }

  /** Shows the runs of this window, from the moment there can be any, and what other processes record meanwhile. */
  follow(delegation: Delegation, recorded: Event<void>): void {
    this.#delegation = delegation;
    this.#subscriptions.add(delegation.onDidChange((run) => this.#onRunChanged(run)));
    this.#subscriptions.add(recorded(() => this.#view.visible && this.refresh()));
  }

  /** Shows a number at the container's icon. */
  showBadge(badge: vscode.ViewBadge | undefined): void {
    this.#view.badge = badge;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  getTreeItem(node: RunsNode): vscode.TreeItem {
    return node.kind === 'day' ? dayItem(node, this.#deps.now()) : runItem(node, this.#deps.now());
  }

  async getChildren(node?: RunsNode): Promise<RunsNode[]> {
    if (node) return node.kind === 'day' ? node.runs : [];
    const history = await this.#deps.history();
    const nodes = arrange(this.#live, history);
    if (nodes.length === 0 && vscode.workspace.isTrusted) void this.#lookForAgents();
    this.#rows.clear();
    for (const row of nodes) if (row.kind === 'run' && row.live) this.#rows.set(row.record.runId, row);
    return nodes;
  }

  dispose(): void {
    clearInterval(this.#ticker);
    this.#subscriptions.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  /** The empty view says which agents to install when there is none. */
  async #lookForAgents(): Promise<void> {
    const none = !(await this.#deps.hasAgents());
    await vscode.commands.executeCommand('setContext', 'sallyport.noAgents', none);
  }

  get #live(): readonly LiveRun[] {
    return this.#delegation?.live ?? [];
  }

  /** A phase change redraws one row; a run that came or went, the list. */
  #onRunChanged(run: LiveRun): void {
    const ids = this.#live.map((live) => live.id).join(' ');
    const row = this.#rows.get(run.id);
    if (ids !== this.#liveIds || !row) this.refresh();
    else this.#redraw(row);
    if (ids !== this.#liveIds) {
      this.#liveIds = ids;
      void vscode.commands.executeCommand('setContext', 'sallyport.hasLiveRuns', ids !== '');
    }
    this.#tickWhileNeeded();
  }

  #redraw(row: RunNode): void {
    if (row.live) row.record = row.live.record;
    this.#changed.fire(row);
  }

  #tickWhileNeeded(): void {
    const needed = this.#view.visible && this.#live.length > 0;
    if (needed === (this.#ticker !== undefined)) return;
    clearInterval(this.#ticker);
    this.#ticker = needed ? setInterval(() => this.#tick(), tickMs) : undefined;
  }

  #tick(): void {
    for (const row of this.#rows.values()) this.#redraw(row);
  }
}
