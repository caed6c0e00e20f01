/** For how long a card that is new to the eye takes no answer, in milliseconds. */
const quietMs = 500;

/**
 * Keeps a card from taking a key or a click that was meant for what stood there before. New or moved: neither counts for a
 * moment. Focused: no key does; a click does when it is what brought the focus, for it was aimed at what it hit.
 */
export class Arming {
  #allQuietUntil = 0;
  #keysQuietUntil = 0;
  #pressing = false;
  #pressedTooEarly = false;

  /** It appeared, moved, or shows something else. */
  startOver(): void {
    this.#allQuietUntil = performance.now() + quietMs;
  }

  focused(): void {
    this.#keysQuietUntil = performance.now() + quietMs;
    if (!this.#pressing) this.startOver();
    this.#pressing = false;
  }

  pressed(): void {
    this.#pressing = true;
    this.#pressedTooEarly = performance.now() < this.#allQuietUntil;
  }

  released(): void {
    this.#pressing = false;
  }

  takesKey(): boolean {
    return performance.now() >= Math.max(this.#allQuietUntil, this.#keysQuietUntil);
  }

  takesClick(): boolean {
    return !this.#pressedTooEarly && performance.now() >= this.#allQuietUntil;
  }
}
