/** Scale of the rating chart, in percent from the left and from the top. */

export type Point = readonly [at: number, rating: number];

/** Steps between lines: the smallest that gives few enough. */
const STEPS = [20, 50, 100, 200, 500, 1000];
const MOST_LINES = 6;

export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Ratings with a line, from the bottom. */
  readonly lines: readonly number[];
  x(at: number): number;
  y(rating: number): number;
}

/** @param points at least one, oldest first. */
export function scaleOf(points: readonly Point[]): Scale {
  const ratings = points.map(([, rating]) => rating);
  const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
  const from = points[0]![0];
  const span = points.at(-1)![0] - from;
  const step = STEPS.find((size) => (most - least) / size <= MOST_LINES - 2) ?? STEPS.at(-1)!;
  const low = Math.floor((least - 1) / step) * step;
  const high = Math.ceil((most + 1) / step) * step;
  return {
    low,
    high,
    lines: Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => low + index * step),
    // A single point is centred.
    x: (at) => (span === 0 ? 50 : ((at - from) / span) * 100),
    y: (rating) => ((high - rating) / (high - low)) * 100,
  };
}

/** Index of the point nearest to `x`. */
export function nearest(points: readonly Point[], scale: Scale, x: number): number {
  let best = 0;
  points.forEach(([at], index) => {
    if (Math.abs(scale.x(at) - x) < Math.abs(scale.x(points[best]![0]) - x)) best = index;
  });
  return best;
}
