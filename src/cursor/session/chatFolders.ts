import type { Disposable } from '../../base/disposable.ts';
import { type ChatFolder, isBucketName } from '../store/storePaths.ts';
import { ChatsPlace } from './chatsPlace.ts';
import type { FolderListener, FolderWatches } from './folderWatch.ts';
import { type FolderChild, WatchedFolder } from './watchedFolder.ts';

/** Whoever looks after one chat's folder for as long as it exists. */
export interface ChatKeeper extends FolderListener, Disposable {}

/** Asks somebody to look after a chat. Its folder may be empty still. */
export type OpenKeeper = (chat: ChatFolder) => ChatKeeper;

/**
 * Follows which chat folders exist below the roots, by watches on each root, its `chats`, every bucket and every chat. Roots
 * need not exist yet; several that lead to the same `chats` count once.
 */
export class ChatFolders implements Disposable {
  readonly #watches: FolderWatches;
  readonly #open: OpenKeeper;
  readonly #places: ChatsPlace[];
  /** By the real path of `chats`. */
  readonly #trees = new Map<string, { root: string; tree: WatchedFolder }>();
  /** Folders that somebody looks after: links may lead to one folder in several ways. */
  readonly #kept = new Set<string>();
  #disposed = false;

  constructor(roots: readonly string[], watches: FolderWatches, open: OpenKeeper) {
    this.#watches = watches;
    this.#open = open;
    this.#places = roots.map((root) => new ChatsPlace(root, watches, () => this.#update()));
  }

  dispose(): void {
    this.#disposed = true;
    for (const place of this.#places) place.dispose();
    for (const { tree } of this.#trees.values()) tree.dispose();
    this.#trees.clear();
  }

  #update(): void {
    if (this.#disposed) return;
    const wanted = new Map<string, string>();
    for (const { root, real } of this.#places) {
      if (real !== undefined && !wanted.has(real)) wanted.set(real, root);
    }
    for (const [real, { root, tree }] of this.#trees) {
      if (wanted.get(real) === root) tree.ensure();
      else {
        tree.dispose();
        this.#trees.delete(real);
      }
    }
    for (const [real, root] of wanted) {
      if (!this.#trees.has(real)) this.#trees.set(real, { root, tree: this.#openChats(real, root) });
    }
  }

  #openChats(chats: string, root: string): WatchedFolder {
    return new WatchedFolder(chats, this.#watches, (bucket, path) => {
      if (!isBucketName(bucket)) return undefined;
      return new WatchedFolder(path, this.#watches, (id, folder) => this.#openChat({ folder, id, bucket, root }));
    });
  }

  #openChat(chat: ChatFolder): FolderChild | undefined {
    if (this.#kept.has(chat.folder)) return undefined;
    this.#kept.add(chat.folder);
    const keeper = this.#open(chat);
    const watch = this.#watches.watch(chat.folder, keeper);
    // What happened before the watch was there was not told.
    keeper.changed(undefined, true);
    return {
      ensure: () => {
        if (watch.ensure()) keeper.changed(undefined, true);
      },
      dispose: () => {
        this.#kept.delete(chat.folder);
        watch.dispose();
        keeper.dispose();
      },
    };
  }
}
