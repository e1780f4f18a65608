/** Whoever waits in a pool is told of somebody who waits for another game that the two could play. */

import { html, type TemplateResult } from 'lit-html';
import { POOLS, type PoolName } from '../../net/protocol';
import { authLink } from '../../ui/login-links';
import { say } from '../../words/words';

/** People in the same pool are told at once, those in others once the person has waited this long. */
const OTHERS_AFTER_MS = 10_000;

export interface Choice {
  pool: PoolName;
  rated: boolean;
}

export interface Elsewhere extends Choice {
  /** Number of people who wait there. */
  n: number;
}

/**
 * Rated or casual in the same pool first, then the same in the pool with the nearest time. `waiting`: how many others
 * wait for a game.
 */
export function elsewhere(now: Choice, waited_ms: number, waiting: (choice: Choice) => number): Elsewhere | null {
  const { pool, rated } = now;
  if (waiting(now) > 0) return null;
  const other = { pool, rated: !rated };
  if (waiting(other) > 0) return { ...other, n: waiting(other) };
  if (waited_ms < OTHERS_AFTER_MS) return null;
  const distance = (one: PoolName) => Math.abs(POOLS.indexOf(one) - POOLS.indexOf(pool));
  const [nearest] = POOLS.map((one) => ({ pool: one, rated, n: waiting({ pool: one, rated }) }))
    .filter(({ n }) => n > 0)
    .sort((one, another) => distance(one.pool) - distance(another.pool));
  return nearest ?? null;
}

/** `now`: what the person waits for; `join`: wait there instead, or null for a guest who may not play rated. */
export function elsewhereText({ pool, rated, n }: Elsewhere, now: Choice, join: (() => void) | null): TemplateResult {
  const text = rated === now.rated ? say('quick.else.pool', { n, pool }) : say(rated ? 'quick.else.rated' : 'quick.else.casual', { n, pool });
  const label = rated === now.rated ? say('quick.else.play', { pool }) : say(rated ? 'quick.else.play.rated' : 'quick.else.play.casual');
  return html`${text}
  ${join === null
    ? html`<a href=${authLink('/signup', '/')} data-page>${say('create.rated.hint')}</a>`
    : html`<button class="plain" data-testid="quick-else" @click=${join}>${label}</button>`}`;
}
