import { say } from '../../words/words';

/** The ratings that a seek asks for, in words; null is no bound, and not both are. */
export function ratingRange(min: number | null, max: number | null): string {
  const range =
    min === null
      ? say('seeks.range.max', { max: max! })
      : max === null
        ? say('seeks.range.min', { min })
        : say('seeks.range.both', { min, max });
  return say('seeks.range', { range });
}
