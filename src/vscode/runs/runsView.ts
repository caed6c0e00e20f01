import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Delegation, LiveRun } from '../../delegation/task.ts';
import type { RunRecord } from '../../journal/entry.ts';
import { DayRows } from './dayRows.ts';
import { filterText } from './filterText.ts';
import { isFiltering, noFilter, type RunFilter } from './runFilter.ts';
import { dayItem, runItem, runTooltip } from './runItem.ts';
import { arrange, countRuns, type RunNode, type RunsNode } from './runNode.ts';

export interface RunsViewDeps {
  /** Runs of this workspace that any process recorded, newest first. */
  history(): Promise<readonly RunRecord[]>;
  /** Whether any agent could be delegated to. May start processes, so it is asked only where nothing ran yet. */
  hasAgents(): Promise<boolean>;
  clock: Clock;
}

/** How often the elapsed time of live runs is redrawn while the view is visible. */
const tickMs = 1_000;

/** The Runs view: live runs, then past ones by day. Reads the journal when it is shown and when a run starts or ends. */
export class RunsView implements vscode.TreeDataProvider<RunsNode>, vscode.Disposable {
  readonly #deps: RunsViewDeps;
  readonly #changed = new vscode.EventEmitter<RunsNode | undefined>();
  readonly #view: vscode.TreeView<RunsNode>;
  readonly #rows = new Map<string, RunNode>();
  readonly #days: DayRows;
  readonly #subscriptions = new DisposableStore();
  #delegation: Delegation | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #liveIds = '';
  #wasAsked = false;
  #filter = noFilter;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: RunsViewDeps) {
    this.#deps = deps;
    this.#days = this.#subscriptions.add(new DayRows(deps.clock, (day) => this.#changed.fire(day)));
    this.#view = vscode.window.createTreeView('sallyport.runs', { treeDataProvider: this });
    this.#subscriptions.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.refresh()));
    this.#view.onDidChangeVisibility(({ visible }) => {
      // The first time the editor asks by itself, and to say that all has changed would throw its first answer away.
      if (visible && this.#wasAsked) this.refresh();
      this.#tickWhileNeeded();
    });
  }

  /** Shows the runs of this window, from the moment there can be any, and what other processes record meanwhile. */
  follow(delegation: Delegation, recorded: Event<void>): void {
    this.#delegation = delegation;
    this.#subscriptions.add(delegation.onDidChange((run) => this.#onRunChanged(run)));
    this.#subscriptions.add(recorded(() => this.#view.visible && this.refresh()));
  }

  get filter(): RunFilter {
    return this.#filter;
  }

  /** Shows only what a filter lets through, and says so above the rows. */
  set filter(filter: RunFilter) {
    this.#filter = filter;
    void vscode.commands.executeCommand('setContext', 'sallyport.runsFiltered', isFiltering(filter));
    this.refresh();
  }

  /** Shows a number at the container's icon. */
  showBadge(badge: vscode.ViewBadge | undefined): void {
    this.#view.badge = badge;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  getTreeItem(node: RunsNode): vscode.TreeItem {
    return node.kind === 'day' ? dayItem(node, this.#deps.clock.now()) : runItem(node, this.#deps.clock.now());
  }

  resolveTreeItem(item: vscode.TreeItem, node: RunsNode): vscode.TreeItem {
    if (node.kind === 'run') item.tooltip = runTooltip(node);
    return item;
  }

  async getChildren(node?: RunsNode): Promise<RunsNode[]> {
    if (node) return node.kind === 'day' ? this.#days.of(node) : node.workers;
    this.#wasAsked = true;
    const history = await this.#deps.history();
    const all = arrange(this.#live, history);
    if (all.length === 0 && vscode.workspace.isTrusted) void this.#lookForAgents();
    const nodes = isFiltering(this.#filter) ? arrange(this.#live, history, this.#filter) : all;
    const message = this.#messageOver(countRuns(nodes), countRuns(all)) ?? '';
    // The editor is told of each setting, be it the same.
    if (message !== (this.#view.message ?? '')) this.#view.message = message;
    this.#rows.clear();
    const noteLive = (row: RunNode) => {
      if (row.live) this.#rows.set(row.record.runId, row);
      row.workers.forEach(noteLive);
    };
    for (const row of nodes) if (row.kind === 'run') noteLive(row);
    return nodes;
  }

  #messageOver(shown: number, all: number): string | undefined {
    if (!isFiltering(this.#filter) || all === 0) return undefined;
    return vscode.l10n.t('Filter: {0} ({1} of {2} runs)', filterText(this.#filter), shown, all);
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
    if (ids !== this.#liveIds || (!row && !isFiltering(this.#filter))) this.refresh();
    else if (row) this.#redraw(row);
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
