/** Parser of the input: a move in any notation, or a command. The commands are those of lichess. */

import type { Settings } from '../settings/settings';
import { hasHints } from '../state/hints';
import { mayPause } from '../state/pausable';
import { say } from '../words/words';
import { tellAway } from './absence-notices';
import { answerable, asksBack, isLive, isToMove, seat, WITHDRAW, type AccessibleGame, type OfferKind } from './accessible-game';
import type { Answer } from './answer';
import { tellFirstMove } from './first-move-notices';
import { tellClocks, tellLast, tellLine, tellMovesMade, tellOffers, tellOpponent, tellOwnOffer, tellPieces, tellShown, tellState, tellUci } from './tell';
import { move, unclear } from './typed-move';

const MORE_TIME_S = 15;

export interface Context {
  settings: Settings;
  /** The question of the last answer. */
  confirming: Answer['confirm'];
}

type Command = (table: AccessibleGame, argument: string, context: Context) => Answer;

const COMMANDS: Record<string, Command> = {
  b: ({ kind }, square) => {
    if (square === '') return { go: 'board' };
    return kind.lattice.placeOf(square) !== null ? { go: 'board', square } : { tell: say('command.no-square', { square }) };
  },
  c: (table) => ({ tell: tellClocks(table) }),
  l: ({ game, telling }) => {
    const { text, ...rest } = tellLast(game, telling);
    return { tell: text, ...rest };
  },
  n: ({ game }) => ({ tell: tellMovesMade(game) }),
  o: (table) => ({ tell: tellOpponent(table) }),
  p: (table, sign) => {
    const found = sign === '' ? null : tellPieces(table, sign);
    return { tell: found === null ? whichPiece(table) : seen(table, found) };
  },
  s: (table, line) =>
    table.kind.hasLines && /^[a-h1-8]$/.test(line) ? { tell: seen(table, tellLine(table.position, line)) } : { tell: tellAll(table) },
  u: ({ game }) => (game.clock === null ? { tell: say('told.no-clock') } : { used: true }),
  help: () => ({ go: 'help' }),
  flip: () => ({ flip: true }),
  back: (table) => look(table, table.shown - 1),
  forward: (table) => look(table, table.shown + 1),
  live: (table) => look(table, table.game.moves.length),
  abort: players(({ game }) => (begun(game.moves) ? { tell: say('command.too-late') } : { send: { t: 'abort' } })),
  resign: players(({ game }, _, { settings, confirming }) => {
    if (!begun(game.moves) && !game.laws) return { tell: say('command.too-early') };
    if (settings.confirmResign && confirming !== 'resign') return { tell: say('command.resign-again'), confirm: 'resign' };
    return { send: { t: 'resign' } };
  }),
  draw: players((table, _, { settings, confirming }) => {
    const offers = table.game.offers.draw === null;
    if (offers && settings.confirmDraw && confirming !== 'draw') return { tell: say('command.draw-again'), confirm: 'draw' };
    return offer(table, 'draw');
  }),
  claim: players(claim),
  takeback: players((table) => offer(table, 'takeback')),
  accept: (table, which) => reply(table, which, 'accept'),
  decline: (table, which) => reply(table, which, 'decline'),
  moretime: players(() => ({
    send: { t: 'moretime', seconds: MORE_TIME_S },
    tell: say('command.given', { n: MORE_TIME_S }),
  })),
  pause: players((table) => pause(table, true)),
  resume: players((table) => pause(table, false)),
  hint: players((table) => {
    if (!hasHints(table.game, table.own)) return { tell: say('command.no-hints') };
    return isToMove(table) ? { hint: true } : { tell: say('entry.not-yours') };
  }),
  cancel,
  yes: ({ confirming }) => (confirming === null ? { tell: say('command.nothing-asked') } : { yes: true }),
  no: (table) => (table.confirming === null ? { tell: say('command.nothing-asked') } : cancel(table)),
  rematch: afterwards((table) => (seat(table) === null ? { go: 'rematch' } : offer(table, 'rematch'))),
  new: afterwards((table) => (seat(table) === null ? { tell: say('command.both-yours') } : { go: 'new' })),
};

const ALSO: Record<string, string> = {
  board: 'b',
  clock: 'c',
  clocks: 'c',
  last: 'l',
  moves: 'n',
  used: 'u',
  opponent: 'o',
  who: 'o',
  pieces: 'p',
  scan: 's',
  status: 's',
  '?': 'help',
  commands: 'help',
  undo: 'takeback',
  f: 'flip',
  h: 'hint',
};

const PIECES: Record<string, string> = { queen: 'q', rook: 'r', bishop: 'b', knight: 'n' };

export function answer(typed: string, table: AccessibleGame, context: Context): Answer {
  const text = typed.trim();
  // Enter on an empty input confirms a move that waits; as on lichess, it cancels a premove.
  if (text === '' && table.confirming !== null) return { yes: true };
  if (text === '') return table.premove === null ? {} : cancel(table);
  const [, word = '', argument = ''] = /^\/?(\S*)\s*(.*)$/s.exec(text) ?? [];
  const low = word.toLowerCase();
  const letter = PIECES[low] ?? low;
  if (table.kind.choices(table.choosing).some(({ value }) => value === letter)) return { choose: letter };
  const name = ALSO[low] ?? low;
  const byLaws = table.laws?.answer(low, argument, table) ?? null;
  if (byLaws !== null) return byLaws;
  const command = Object.hasOwn(COMMANDS, name) && !isSaid(low, argument) ? COMMANDS[name] : undefined;
  return command ? command(table, argument, context) : move(text, table, context.settings);
}

/** Arguments of the commands of one letter. */
const FOLLOWS: Record<string, RegExp> = { b: /^(?![1-8]$)/, p: /^/, s: /^[a-h1-8]$/ };

/** `c 4` and `n f3` are moves: their argument fits no command. */
const isSaid = (letter: string, argument: string): boolean =>
  letter.length === 1 && argument !== '' && FOLLOWS[letter]?.test(argument) !== true;

const whichPiece = ({ kind }: AccessibleGame): string =>
  kind.hasLines ? say('told.which-piece') : say('told.which-kind', { letters: Object.keys(kind.keys).join(', ') });

/** Says that the board is an earlier one. */
const seen = (table: AccessibleGame, text: string): string => (isLive(table) ? text : say('look.back', { text }));

function tellAll(table: AccessibleGame): string {
  const told = [tellState(table), ...tellOffers(table)];
  if (table.first_ms !== null) told.push(tellFirstMove(table.game, table.own, table.first_ms));
  if (table.away_ms !== null) told.push(tellAway(table.away_ms));
  if (table.premove !== null) told.push(say('ahead.waits', { move: tellUci(table.premove, table.game.position, table.telling) }));
  return told.join(' ');
}

const begun = (moves: readonly string[]): boolean => moves.length >= 2;

/** Only for players, while the game runs. */
function players(command: Command): Command {
  return (table, argument, context) => {
    if (table.own.length === 0) return { tell: say('command.watching') };
    if (table.game.status === 'over') return { tell: say('command.over') };
    return command(table, argument, context);
  };
}

/** Only for players, after the game. */
function afterwards(command: Command): Command {
  return (table, argument, context) => {
    if (table.own.length === 0) return { tell: say('command.watching') };
    return table.game.status === 'over' ? command(table, argument, context) : { tell: say('command.not-over') };
  };
}

/** Make an offer, or accept the opponent's. */
function offer(table: AccessibleGame, kind: OfferKind): Answer {
  const by = table.game.offers[kind];
  if (by === null) return { send: { t: kind, do: 'offer' } };
  if (by === seat(table)) return { tell: tellOwnOffer(kind) };
  return { send: { t: kind, do: 'accept' } };
}

/** Answer the open offer, or the named one of several. */
function reply(table: AccessibleGame, which: string, how: 'accept' | 'decline'): Answer {
  if (table.own.length === 0) return { tell: say('command.watching') };
  const open = answerable(table);
  const [kind] = which === '' ? open : open.filter((known: OfferKind) => known === which.toLowerCase());
  if (kind === undefined) return { tell: say(open.length === 0 ? 'offer.none' : 'offer.none-such') };
  if (which !== '' || open.length === 1) return { send: { t: kind, do: how } };
  return { tell: say('offer.which', { words: open.map((known) => `${how} ${known}`).join(', ') }) };
}

/** `claim win` and `claim draw` against an absent opponent; `claim`, also with a move, for a draw by position. */
function claim(table: AccessibleGame, what: string, { settings }: Context): Answer {
  const { away_ms, game, legal } = table;
  const word = what.toLowerCase();
  const left = word === 'win' || (word === 'draw' && away_ms !== null) || (word === '' && away_ms === 0);
  if (left) {
    if (away_ms === null) return { tell: say('away.here') };
    if (away_ms > 0 || word === '') return { tell: tellAway(away_ms) };
    return { send: { t: 'claim', what: word } };
  }
  if (!isToMove(table)) return { tell: say('command.claim-turn') };
  if (word === '' || word === 'draw') return { send: { t: 'draw', do: 'claim' } };
  const reading = table.kind.read(what, legal ?? [], game, settings.letters);
  if ('move' in reading) return { send: { t: 'draw', do: 'claim', move: reading.move } };
  return unclear(what, reading, game.position, settings, say('entry.fault.illegal', { text: what }));
}

function pause({ game, own }: AccessibleGame, on: boolean): Answer {
  if (!mayPause(game, own)) return { tell: say('command.no-pause') };
  if ((game.clock?.held === 'pause') === on) return { tell: say(on ? 'told.paused' : 'told.runs') };
  return { send: { t: 'pause', on } };
}

/** Cancel what waits: the choice, the confirmation, the premove or the request for a takeback, in this order. */
function cancel(table: AccessibleGame): Answer {
  const { choosing, confirming, premove } = table;
  if (choosing.length > 0) return { choose: null, tell: say('grid.released') };
  if (confirming !== null) return { yes: false, tell: say('grid.released') };
  if (premove !== null) return { ahead: null };
  return asksBack(table) ? { send: WITHDRAW } : { tell: say('command.nothing-waits') };
}

function look(table: AccessibleGame, ply: number): Answer {
  const to = Math.max(0, Math.min(ply, table.game.moves.length));
  return { look: to, tell: tellShown(table.game, to, table.telling) };
}
