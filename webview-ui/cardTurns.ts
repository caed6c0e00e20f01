/** No card is lower than this, in CSS pixels. */
const lowestCard = 100;

/** Says of each card, asked in their order, what its first drawing waits for. */
export type CardTurns = () => Promise<void> | undefined;

/**
 * Where there were no cards, those that are on the screen come first, and the others when these are painted, so that nobody
 * waits for what is below. Where there were some, none waits: a new one moves the others, and that happens once.
 */
export function cardTurns(areFirst: boolean): CardTurns {
  const atOnce = areFirst ? Math.ceil(window.innerHeight / lowestCard) : Infinity;
  let count = 0;
  let painted: Promise<void> | undefined;
  return () => {
    count += 1;
    return count <= atOnce ? undefined : (painted ??= nextPaint());
  };
}

/** When the next frame is on the screen. */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => window.setTimeout(resolve)));
}
