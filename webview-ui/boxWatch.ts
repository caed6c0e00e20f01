/** Who wants to know of its boxes. */
interface Owner {
  /** It has become known whether a box is longer than what it shows, or an end was on the screen. */
  look(): void;
}

/**
 * Tells of all boxes together which have more than they show (these take the focus: `tabIndex` 0) and of their ends which
 * were on the screen (class `seen`). One layout answers for all of them, before anything is painted: to ask each box after
 * it was drawn would lay out the page once for every card.
 */
export class BoxWatch {
  readonly #owners = new WeakMap<Element, Owner>();
  readonly #sizes = new ResizeObserver((entries) => this.#measure(entries.map(({ target }) => target)));
  readonly #ends = new IntersectionObserver((entries) => this.#see(entries), { threshold: 0.5 });

  /** A box, or what lies behind its last character. */
  watch(each: Element, owner: Owner): void {
    this.#owners.set(each, owner);
    this.#observerOf(each).observe(each);
  }

  unwatch(each: Element): void {
    this.#observerOf(each).unobserve(each);
  }

  #observerOf(each: Element): ResizeObserver | IntersectionObserver {
    return each.matches('.end') ? this.#ends : this.#sizes;
  }

  #measure(boxes: readonly Element[]): void {
    // All are read before any is written to.
    const long = new Set(boxes.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 2));
    for (const box of boxes) if (box instanceof HTMLElement) box.tabIndex = long.has(box) ? 0 : -1;
    this.#tell(boxes);
  }

  #see(entries: readonly IntersectionObserverEntry[]): void {
    const seen = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
    for (const end of seen) end.classList.add('seen');
    this.#tell(seen);
  }

  #tell(about: readonly Element[]): void {
    for (const owner of new Set(about.map((each) => this.#owners.get(each)))) owner?.look();
  }
}
