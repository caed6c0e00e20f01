import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { WatchedChat } from '../../cursor/session/watchedChat.ts';
import type { Locator } from '../../keys/target.ts';
import type { PendingRequest } from '../../protocol/request.ts';
import { agentItem } from './agentItem.ts';
import { type AgentRow, agentRows, endedRow, expiryOf } from './agentRow.ts';
import { SessionPlaces } from './sessionPlaces.ts';

/** What is watched already. */
export interface AgentsSource {
  /** Chats or requests are different. */
  readonly onDidChange: Event<void>;
  chats(): readonly WatchedChat[];
  requests(): readonly PendingRequest[];
  locate: Locator['locate'];
}

export interface AgentsViewDeps {
  /** Asked when the view is first seen, and not in Restricted Mode. */
  source(): Promise<AgentsSource>;
  clock: Clock;
}

/** How many sessions are remembered that ended while this window was open. */
const maxEnded = 10;
/** A burst of changes is drawn once. */
const burstMs = 100;

/** The Agents view: the sessions of Cursor that are seen. It looks for terminals while it is visible, each once. */
export class AgentsView implements vscode.TreeDataProvider<AgentRow>, vscode.Disposable {
  readonly #deps: AgentsViewDeps;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<AgentRow>;
  readonly #owned = new DisposableStore();
  #source: AgentsSource | undefined;
  #places: SessionPlaces | undefined;
  #live: readonly AgentRow[] = [];
  #ended: readonly AgentRow[] = [];
  #due: Disposable | undefined;
  #expiry: Disposable | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: AgentsViewDeps) {
    this.#deps = deps;
    this.#view = vscode.window.createTreeView('sallyport.agents', { treeDataProvider: this });
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire(undefined)));
    this.#view.onDidChangeVisibility(({ visible }) => {
      if (visible) this.refresh();
      else this.#expiry?.dispose();
    });
  }

  /** Looks again at everything, terminals that were not found included. */
  refresh(): void {
    this.#places?.forgetUnreachable();
    this.#changed.fire(undefined);
  }

  getTreeItem(row: AgentRow): vscode.TreeItem {
    return agentItem(row);
  }

  async getChildren(row?: AgentRow): Promise<AgentRow[]> {
    if (row || !vscode.workspace.isTrusted) return [];
    const source = (this.#source ??= this.#follow(await this.#deps.source()));
    const rows = this.#take(source);
    this.#places?.seek(rows.flatMap(({ processes }) => processes));
    this.#wakeAtExpiry(rows);
    return [...rows, ...this.#ended];
  }

  dispose(): void {
    this.#due?.dispose();
    this.#expiry?.dispose();
    this.#owned.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  #follow(source: AgentsSource): AgentsSource {
    if (this.#source) return this.#source;
    const places = this.#owned.add(new SessionPlaces((process, signal) => source.locate(process, signal)));
    this.#places = places;
    this.#owned.add(places.onDidChange(() => this.#redrawSoon()));
    this.#owned.add(
      source.onDidChange(() => {
        // Who ends while the view is hidden is to be found in it as well.
        this.#take(source);
        this.#redrawSoon();
      }),
    );
    return source;
  }

  /** The sessions as they are now. Who is not there any more has ended. */
  #take(source: AgentsSource): readonly AgentRow[] {
    const rows = agentRows({
      chats: source.chats(),
      requests: source.requests(),
      locatedOf: (process) => this.#places?.of(process),
      nowMs: this.#deps.clock.now(),
    });
    const ids = new Set(rows.map(({ id }) => id));
    const gone = this.#live.filter(({ id }) => !ids.has(id)).map(endedRow);
    const known = new Set(gone.map(({ id }) => id));
    this.#ended = [...gone, ...this.#ended.filter(({ id }) => !ids.has(id) && !known.has(id))].slice(0, maxEnded);
    this.#live = rows;
    return rows;
  }

  #redrawSoon(): void {
    if (!this.#view.visible) return;
    this.#due ??= this.#deps.clock.after(burstMs, () => {
      this.#due = undefined;
      this.#changed.fire(undefined);
    });
  }

  /** A model that has been silent for long may have been interrupted: then the row must not say that it works. */
  #wakeAtExpiry(rows: readonly AgentRow[]): void {
    this.#expiry?.dispose();
    const at = Math.min(...rows.flatMap((row) => expiryOf(row) ?? []));
    const leftMs = at - this.#deps.clock.now();
    if (!this.#view.visible || !Number.isFinite(at) || leftMs <= 0) return;
    this.#expiry = this.#deps.clock.after(leftMs + 1, () => this.#changed.fire(undefined));
  }
}
