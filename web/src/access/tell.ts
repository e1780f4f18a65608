/** The state of a game in sentences. */

import type { GameKind } from '../board/core/game-kind';
import { waitingKings } from '../board/draughts/waiting-kings';
import { Replay } from '../board/replay';
import type { Color, GameSnapshot } from '../net/protocol';
import { opposite } from '../notation/color';
import { inWords, pieceName, placement, roleName, type Placement, type Role } from '../notation/pieces';
import { tellMoveOf, withinSentence, type TellingStyle, type Utterance } from '../notation/tell-move';
import { squares } from '../notation/uci';
import { isUci, writePlain } from '../notation/write-move';
import { endOf } from '../state/result-text';
import { HELD_BY_DELAY } from '../time/delay';
import { personText } from '../ui/person-name';
import { say, SIDES } from '../words/words';
import { tellAway } from './absence-notices';
import { answerable, OFFER_KINDS, seat, type AccessibleGame, type OfferKind } from './accessible-game';

const RANKS = [...'87654321'];
const FILES = [...'abcdefgh'];

/** `1 minute 5 seconds`; seconds only below an hour. */
export function tellTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [
    [say('time.days', { n: Math.floor(seconds / 86_400) }), Math.floor(seconds / 86_400)],
    [say('time.hours', { n: Math.floor(seconds / 3600) % 24 }), Math.floor(seconds / 3600) % 24],
    [say('time.minutes', { n: Math.floor(seconds / 60) % 60 }), Math.floor(seconds / 60) % 60],
    [say('time.seconds', { n: seconds % 60 }), seconds < 3600 ? seconds % 60 : 0],
  ] as const;
  const told = parts.filter(([, n]) => n > 0).map(([text]) => text);
  return told.join(' ') || say('time.seconds', { n: 0 });
}

export function tellClocks(table: AccessibleGame): string {
  const { clock } = table.game;
  const me = seat(table) ?? 'w';
  if (clock === null) return say('told.no-clock');
  return [me, opposite(me)]
    .map((color) => {
      const words = { side: SIDES[color], time: tellTime(table.left_ms(color) ?? 0) };
      return clock.run === color && !clock.held ? say('told.clock-runs', words) : say('told.clock', words);
    })
    .join('; ');
}

/** The side that made the move at `ply` (half-moves before it). */
export function moverOf(game: GameSnapshot, ply: number): Color {
  const behind = game.moves.length - ply;
  return behind % 2 === 0 ? game.turn : opposite(game.turn);
}

/** The move at `ply`, with its side. */
export function tellMove(game: GameSnapshot, ply: number, how: TellingStyle): Utterance {
  const san = game.notation[ply];
  if (san === undefined) return { text: say('move.none') };
  return tellMoveOf(moverOf(game, ply), game.moves[ply] ?? '', san, how);
}

export const tellLast = (game: GameSnapshot, how: TellingStyle): Utterance => tellMove(game, game.moves.length - 1, how);

/** A move that is not in the score yet: `knight from g1 to f3`. */
export function tellUci(uci: string, position: string, how: TellingStyle): string {
  if (how.tellMoves === 'notation') return writePlain(uci, placement(position), how);
  if (!isUci(uci)) return inWords(uci);
  const [from, to] = squares(uci);
  const piece = roleName(placement(position).get(from)?.role ?? 'p');
  const told = say('move.from-to', { piece, from, to });
  return uci.length < 5 ? told : `${told}, ${say('move.becomes', { piece: roleName(uci.charAt(4)) })}`;
}

/** The position after `ply` half-moves. */
export function tellShown(game: GameSnapshot, ply: number, how: TellingStyle): string {
  const plain = withinSentence(how);
  if (ply >= game.moves.length) return say('look.live', { move: tellLast(game, plain).text });
  return ply === 0 ? say('look.start') : say('look.after', { move: tellMove(game, ply - 1, plain).text });
}

/** How many moves each side has made (Appendix E.2). */
export function tellMovesMade(game: GameSnapshot): string {
  const made = (color: Color) => game.moves.filter((_, ply) => moverOf(game, ply) === color).length;
  return say('told.moves-made', { white: say('count.moves', { n: made('w') }), black: say('count.moves', { n: made('b') }) });
}

export function tellOpponent(table: AccessibleGame): string {
  const me = seat(table);
  const others: Color[] = me === null ? ['w', 'b'] : [opposite(me)];
  return others
    .map((color) => {
      const { user, online, rating } = table.game.players[color];
      if (user === null) return say('told.nobody');
      const name = [personText(user), rating].filter(Boolean).join(' ');
      return `${say('told.opponent', { name, side: SIDES[color] })}, ${say(online ? 'told.here' : 'told.away')}`;
    })
    .join('; ')
    .concat(table.away_ms === null ? '' : `. ${tellAway(table.away_ms)}`);
}

/** Squares of the pieces that `sign` asks for: `N`, `k`, or `A` and `a` for all of a side. Null for another sign. */
export function tellPieces({ kind, position }: AccessibleGame, sign: string): string | null {
  const board = kind.placement(position);
  const color: Color = sign === sign.toUpperCase() ? 'w' : 'b';
  const low = sign.toLowerCase();
  if (low === 'a') return tellSide(kind, board, color);
  return Object.hasOwn(kind.keys, low) ? tellRole(kind, board, kind.keys[low]!, color) : null;
}

export const tellSide = (kind: GameKind, board: Placement, color: Color): string =>
  kind.roles
    .filter((role) => where(kind, board, role, color).length > 0)
    .map((role) => tellRole(kind, board, role, color))
    .join('; ');

function tellRole(kind: GameKind, board: Placement, role: Role, color: Color): string {
  const squares = where(kind, board, role, color);
  const piece = pieceName({ role, color });
  if (squares.length === 0) return say('told.no-pieces', { piece });
  return say('told.pieces', { piece, squares: squares.join(' ') });
}

function where({ lattice, hasLines }: GameKind, board: Placement, role: Role, color: Color): string[] {
  const found = lattice.squares.filter((square) => board.get(square)?.role === role && board.get(square)?.color === color);
  // Numbered squares are in order already.
  return hasLines ? found.sort() : found;
}

/** What the last move captured. */
export function tellTaken({ game, kind }: AccessibleGame): string {
  const move = game.moves.at(-1);
  if (move === undefined) return say('told.nothing-captured');
  const before = new Replay(game.fen, kind).at(game.moves.length - 1, game.moves, game.leaps, game.laws?.positions);
  const taken = kind.captures(before, move, game.leaps?.at(-1) ?? null);
  const [one] = taken;
  if (one === undefined) return say('told.nothing-captured');
  if (taken.length > 1) return say('told.captured-many', { pieces: taken.map(pieceName).join(', ') });
  return say('told.captured', { piece: pieceName(one) });
}

/** The pieces on the file `a` to `h` or the rank `1` to `8`. */
export function tellLine(position: string, line: string): string {
  const board = placement(position);
  const squares = FILES.includes(line) ? [...RANKS].reverse().map((rank) => line + rank) : FILES.map((file) => file + line);
  const told = squares.flatMap((square) => {
    const piece = board.get(square);
    return piece ? `${square} ${pieceName(piece)}` : [];
  });
  return told.length > 0 ? say('told.line', { line, pieces: told.join(', ') }) : say('told.line-empty', { line });
}

/** The side to move, or how the game ended. */
export function tellState(table: AccessibleGame): string {
  const { game } = table;
  if (game.status === 'over') return tellEnd(game);
  const told = [say('told.turn', { side: SIDES[game.turn] })];
  if (table.own.length === 1 && table.own.includes(game.turn)) told.unshift(say('told.your-turn'));
  if (/[+#]$/.test(game.notation.at(-1) ?? '')) told.push(say('told.check'));
  told.push(say('told.move-number', { n: game.position.split(' ')[5] ?? Math.floor(game.moves.length / 2) + 1 }));
  const sentences = [`${told.join(', ')}.`];
  const waiting = waitingKings(game);
  if (waiting !== '') sentences.push(waiting);
  if (game.clock?.held) sentences.push(say(game.clock.held === HELD_BY_DELAY ? 'told.late' : 'told.held'));
  return sentences.join(' ');
}

export function tellEnd(game: GameSnapshot): string {
  const reason = endOf(game);
  if (game.result === '*') return say('told.no-result', { reason });
  if (game.result === '1/2-1/2') return say('told.drawn', { reason });
  return say('told.won', { side: SIDES[game.result === '1-0' ? 'w' : 'b'], reason });
}

/** An open offer of the person. */
export const tellOwnOffer = (kind: OfferKind): string => say(`offer.mine.${kind}`);

/** Open offers, with the commands that answer them. */
export function tellOffers(table: AccessibleGame): string[] {
  const me = seat(table);
  const mine = answerable(table);
  return OFFER_KINDS.flatMap((kind) => {
    const by = table.game.offers[kind];
    const offers = say(`offers.${kind}`);
    if (by === null) return [];
    if (me === null) {
      const told = say('offer.from-side', { side: SIDES[by], offers });
      return mine.includes(kind) ? `${told} ${say('offer.answer', { word: kind })}` : told;
    }
    return by === me ? tellOwnOffer(kind) : say('offer.from-them', { offers, word: kind });
  });
}

/** New moves, takebacks and the end. */
export function tellPlay(before: GameSnapshot, game: GameSnapshot, how: TellingStyle): Utterance[] {
  const told: Utterance[] = [];
  for (let ply = before.moves.length; ply < game.moves.length; ply += 1) told.push(tellMove(game, ply, how));
  if (game.moves.length < before.moves.length) told.push({ text: say('told.taken-back', { side: SIDES[game.turn] }) });
  if (game.status === 'over' && before.status !== 'over') told.push({ text: tellEnd(game) });
  return told;
}

/** Offers that are new. */
export function tellNewOffers(before: GameSnapshot, table: AccessibleGame): string[] {
  const { offers } = table.game;
  const fresh = { ...offers };
  for (const kind of OFFER_KINDS) if (offers[kind] === before.offers[kind]) fresh[kind] = null;
  return tellOffers({ ...table, game: { ...table.game, offers: fresh } });
}

/** Clocks that stop or resume, and what can be done after the end. */
export function tellStanding(before: GameSnapshot, table: AccessibleGame): string[] {
  const { game, own } = table;
  const told: string[] = [];
  if (game.status === 'over') {
    // A simul has no rematch with the host.
    const after = own.length > 0 && game.simul === null;
    if (before.status !== 'over' && after) told.push(say(own.length === 1 ? 'told.after' : 'told.after-both'));
    return told;
  }
  const why = game.clock?.held;
  if (why === before.clock?.held) return told;
  if (why === 'pause') told.push(say('told.paused'));
  else if (why === HELD_BY_DELAY) told.push(say('told.late'));
  else told.push(say(why ? 'told.held' : 'told.runs'));
  return told;
}
