/**
 * Defers `make` to the first call and gives every caller the same promise. A failure is not kept: the next call tries
 * again. `started` is the promise when somebody has asked, for owners that must end what was made.
 */
export function lazy<T>(make: () => Promise<T>): { (): Promise<T>; readonly started: Promise<T> | undefined } {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return Object.defineProperty(get, 'started', { get: () => made }) as typeof get & {
    readonly started: Promise<T> | undefined;
  };
}
