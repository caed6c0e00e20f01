/**
 * Lets an action that never rejects run once at a time. Whoever asks while it runs is served by one more run afterwards; the
 * promise resolves at the end of a run that began after it was asked for.
 */
export function oneAtATime(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    next = undefined;
    running = action().then(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) return start();
    next ??= running.then(start);
    return next;
  };
}
