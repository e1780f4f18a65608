/** A rating, with a question mark if it is provisional. */

import { html, type TemplateResult } from 'lit-html';
import { say } from '../words/words';

/** `1500?`, in words for screen readers. */
export function ratingText(rating: number, provisional: boolean): TemplateResult {
  if (!provisional) return html`${rating}`;
  return html`<span aria-hidden="true">${rating}?</span><span class="unseen">${say('rating.provisional', { rating })}</span>`;
}

/** `+8`, `−12`, `±0`. */
export function ratingChange(before: number, after: number): string {
  const by = after - before;
  if (by === 0) return '±0';
  return by > 0 ? `+${by}` : `−${-by}`;
}
