/** A value at a time. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/**
 * By how much a value grew over the second half of the points, oldest first, as a straight line through them (least squares)
 * says. The first half is what a program takes to warm up.
 */
export function growthOf(points: readonly Point[]): number {
  const half = points.slice(Math.floor(points.length / 2));
  const [first, last] = [half[0], half.at(-1)];
  if (!first || !last || first === last) throw new RangeError('Too few points tell nothing.');
  const mean = (of: (point: Point) => number) => half.reduce((sum, point) => sum + of(point), 0) / half.length;
  const [at, value] = [mean((point) => point.at), mean((point) => point.value)];
  const covariance = mean((point) => (point.at - at) * (point.value - value));
  const variance = mean((point) => (point.at - at) ** 2);
  return (covariance / variance) * (last.at - first.at);
}
