/** The request for another opponent on the terms of a game. */

import type { NewGame } from '../../lobby/waiting/new-game';
import { joinPool } from '../../lobby/waiting/pool-wait';
import { levelOf } from '../../lobby/waiting/robots';
import { POOLS, type Color, type GameSnapshot, type Outgoing } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { presetControl } from '../../time/control-draft';
import { describe } from '../../time/control-text';
import { gameOf } from '../../variants/registry';

/** The terms of another game like this one. After a handicap both get the time of `side`. */
export function termsAgain({ variant, rated, rules, laws, ...controls }: GameSnapshot, side: Color | null): Required<NewGame>['terms'] {
  const own = controls.tcs?.[side ?? 'w'] ?? null;
  // Only the host of a simul has time for each single move.
  const tc = own === null || 'move_s' in own ? controls.tc : own;
  if (laws === undefined) return { tc, variant, rated, rules };
  const { supervised, draw_from, default_s, score_sheet } = laws;
  return { tc, variant, rated, rules, laws: { supervised, draw_from, default_s, score_sheet } };
}

/** The form of another game like this one, if it was against a robot; otherwise null. */
export function robotOf(snapshot: GameSnapshot, side: Color | null): NewGame | null {
  const user = side && snapshot.players[opposite(side)].user;
  const level = user ? levelOf(user) : null;
  return level === null ? null : { robot: true, level, terms: termsAgain(snapshot, side) };
}

/** The pool with these terms, or else a seek. */
export function newOpponentRequest(snapshot: GameSnapshot, side: Color | null): Outgoing {
  const { game } = snapshot;
  const { tc, variant, rated, rules, laws } = termsAgain(snapshot, side);
  const pool = POOLS.find((name) => describe(presetControl(name)) === describe(tc));
  const usual = rules === gameOf(variant).profiles[0];
  if (pool !== undefined && usual) return joinPool(pool, rated, variant);
  const terms = usual ? {} : { rules, ...(laws === undefined ? {} : { laws }) };
  return { t: 'seek', game, variant, rated, tc, color: 'random', ...terms };
}
