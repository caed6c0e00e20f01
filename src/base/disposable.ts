/** Something acquired that its owner ends. `dispose` may be called more than once; later calls do nothing. */
export interface Disposable {
  dispose(): void;
}

/** Collects what one owner acquired and ends it in reverse order. Adding to a disposed store disposes at once. */
export class DisposableStore implements Disposable {
  #items: Disposable[] = [];
  #disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const items = this.#items;
    this.#items = [];
    for (const item of items.reverse()) item.dispose();
  }
}

/** Wraps a function as a Disposable that runs it once. */
export function toDisposable(end: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      end();
    },
  };
}
