/** The part of a game's state that only games by the Laws have, after each event. */

import type { Color, GameEvent, GameSnapshot } from '../net/protocol';
import { opposite } from '../notation/color';

type Laws = NonNullable<GameSnapshot['laws']>;

const AFTER_MOVE = { adjusting: false, touched: [], bound: null, made: null };

/** `game` with the position after its last move, which the server leaves out while that move may be claimed. */
export function withLastPosition(game: GameSnapshot): GameSnapshot {
  const { laws, moves, position } = game;
  if (laws === undefined || moves.length === 0) return game;
  return { ...game, laws: { ...laws, positions: [...laws.positions.filter(([plies]) => plies < moves.length), [moves.length, position]] } };
}

/** `now` is `was` after the other effects of `event`. */
export function withLaws(was: GameSnapshot, now: GameSnapshot, event: GameEvent): GameSnapshot {
  const { laws } = was;
  if (laws === undefined) return now;
  switch (event.t) {
    case 'touch': {
      const touched = [...laws.touched, event.square];
      // US rules: who touches a piece accepts the move before it.
      return declined({ ...now, laws: { ...seated(laws, event.by), touched, bound: null, may_claim: laws.may_claim && was.rules !== 'uscf' } }, event.by);
    }
    case 'signal':
      return { ...now, laws: { ...seated(laws, event.by), adjusting: event.on } };
    case 'made': {
      const { by, move, san, pdn, position, draw = false, touched } = event;
      const made = { move, position, draw, ...(san === undefined ? {} : { san }), ...(pdn === undefined ? {} : { pdn }) };
      const after = declined({ ...now, laws: { ...seated(laws, by), adjusting: false, touched, bound: null, made, may_claim: false } }, by);
      return draw ? { ...after, offers: { ...after.offers, draw: by } } : after;
    }
    case 'ruling': {
      const illegal = { ...laws.illegal, [event.by]: event.times };
      return { ...now, clock: event.clock ?? now.clock, laws: { ...laws, illegal, touched: event.touched, bound: null, made: null } };
    }
    case 'written': {
      const { sheets } = laws;
      if (sheets === null) return now;
      const entry = { text: event.text, right: event.right };
      return { ...now, laws: { ...laws, sheets: { ...sheets, [event.by]: [...sheets[event.by].slice(0, event.ply), entry, ...sheets[event.by].slice(event.ply + 1)] } } };
    }
    case 'signed':
      return { ...now, laws: { ...laws, signed: { ...laws.signed, [event.by]: true } } };
    case 'seated':
      return { ...now, laws: seated(laws, event.by) };
    case 'move': {
      const positions: Laws['positions'] = [...laws.positions, [now.moves.length, event.position]];
      return { ...now, laws: { ...seated(laws, event.by), ...AFTER_MOVE, may_claim: laws.rulings === 'by_claim', positions } };
    }
    case 'takeback': {
      const positions = laws.positions.filter(([plies]) => plies <= now.moves.length);
      return { ...now, laws: { ...laws, ...AFTER_MOVE, may_claim: false, positions } };
    }
    case 'end':
      return { ...now, laws: { ...laws, may_claim: false } };
    default:
      return now;
  }
}

/** Whether the same move is made, but not completed, in both. A snapshot repeats it as another object. */
export const isSameMade = (one: GameSnapshot, other: GameSnapshot): boolean => one.laws?.made?.move === other.laws?.made?.move;

/** Who touches a piece declines the open offer (9.1). */
function declined(game: GameSnapshot, by: Color): GameSnapshot {
  return game.offers.draw === opposite(by) ? { ...game, offers: { ...game.offers, draw: null } } : game;
}

const seated = (laws: Laws, by: Color): Laws => (laws.seated[by] ? laws : { ...laws, seated: { ...laws.seated, [by]: true } });
