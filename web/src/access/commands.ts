/** What is typed into the one input: a move in any notation, or a command. The words are those of lichess. */

import { pieceName, placement, readMove } from '../notation';
import type { Offers, Outgoing } from '../protocol';
import type { Settings } from '../settings';
import { say } from '../words';
import { isToMove, seat, type Table } from './table';
import { tellClocks, tellLast, tellLine, tellOffers, tellOpponent, tellPieces, tellState } from './tell';

/** What to do about it: tell something, play, ask the server, go somewhere. */
export interface Answer {
  tell?: string;
  /** Neither a move nor a command, or no legal one. */
  fault?: true;
  play?: string;
  /** The move wants a piece to promote to. */
  promote?: string[];
  send?: Outgoing;
  go?: 'board' | 'help';
  /** Resigning wants to be said twice. */
  confirm?: 'resign';
}

const MORE_TIME_S = 15;

const tellAll = (table: Table): string => [tellState(table), ...tellOffers(table)].join(' ');

type Command = (table: Table, argument: string, context: Context) => Answer;

interface Context {
  settings: Settings;
  /** What was asked about by the last answer. */
  confirming: Answer['confirm'];
}

const COMMANDS: Record<string, Command> = {
  b: () => ({ go: 'board' }),
  c: (table) => ({ tell: tellClocks(table) }),
  l: ({ game }) => ({ tell: tellLast(game) }),
  o: (table) => ({ tell: tellOpponent(table) }),
  p: ({ game }, sign) => ({ tell: (sign && tellPieces(game, sign)) || say('told.which-piece') }),
  s: (table, line) => ({ tell: /^[a-h1-8]$/.test(line) ? tellLine(table.game, line) : tellAll(table) }),
  help: () => ({ go: 'help' }),
  abort: players(({ game }) => (begun(game.moves) ? { tell: say('command.too-late') } : { send: { t: 'abort' } })),
  resign: players(({ game }, _, { settings, confirming }) => {
    if (!begun(game.moves)) return { tell: say('command.too-early') };
    if (settings.confirmResign && confirming !== 'resign') return { tell: say('command.resign-again'), confirm: 'resign' };
    return { send: { t: 'resign' } };
  }),
  draw: players((table) => offer(table, 'draw')),
  claim: players(() => ({ send: { t: 'draw', do: 'claim' } })),
  takeback: players((table) => offer(table, 'takeback')),
  decline,
  moretime: players(() => ({
    send: { t: 'moretime', seconds: MORE_TIME_S },
    tell: say('command.given', { n: MORE_TIME_S }),
  })),
  rematch: (table) => {
    if (table.own.length === 0) return { tell: say('command.watching') };
    return table.game.status === 'over' ? offer(table, 'rematch') : { tell: say('command.not-over') };
  },
};

const ALSO: Record<string, string> = {
  board: 'b',
  clock: 'c',
  clocks: 'c',
  last: 'l',
  opponent: 'o',
  who: 'o',
  pieces: 'p',
  scan: 's',
  status: 's',
  '?': 'help',
  undo: 'takeback',
};

export function answer(typed: string, table: Table, context: Context): Answer {
  const text = typed.trim();
  if (text === '') return {};
  const [word = '', argument = ''] = text.replace(/^\//, '').split(/\s+/);
  const name = ALSO[word.toLowerCase()] ?? word.toLowerCase();
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return command ? command(table, argument, context) : move(text, table, context.settings);
}

function move(text: string, table: Table, settings: Settings): Answer {
  const reading = readMove(text, table.legal ?? [], table.game, settings.letters);
  if ('fault' in reading && reading.fault === 'unreadable') return { fault: true, tell: say('entry.fault.unreadable', { text }) };
  if (table.own.length === 0) return { tell: say('entry.watching') };
  if (table.game.status === 'over') return { tell: say('command.over') };
  if (!isToMove(table)) return { tell: say('entry.not-yours') };
  if ('move' in reading) return { play: reading.move };
  if (reading.fault === 'promotion') return { tell: say('entry.fault.promotion', { text }), promote: reading.moves };
  if (reading.fault !== 'ambiguous') return { fault: true, tell: say('entry.fault.illegal', { text }) };
  const board = placement(table.game.position);
  const moves = reading.moves.map((uci) => {
    const piece = board.get(uci.slice(0, 2));
    return `${piece ? pieceName(piece) : ''} ${uci.slice(0, 2)} ${uci.slice(2, 4)}`;
  });
  return { fault: true, tell: say('entry.fault.ambiguous', { text, moves: moves.join(', ') }) };
}

const begun = (moves: readonly string[]): boolean => moves.length >= 2;

/** Only of players, and only while the game is on. */
function players(command: Command): Command {
  return (table, argument, context) => {
    if (table.own.length === 0) return { tell: say('command.watching') };
    if (table.game.status === 'over') return { tell: say('command.over') };
    return command(table, argument, context);
  };
}

/** Offer, or accept what the opponent offers. */
function offer(table: Table, kind: keyof Offers): Answer {
  const by = table.game.offers[kind];
  const what = say(`offer.${kind}`);
  if (by === null) return { send: { t: kind, do: 'offer' } };
  if (by === seat(table)) return { tell: say('offer.from-you', { what }) };
  return { send: { t: kind, do: 'accept' } };
}

function decline(table: Table): Answer {
  const me = seat(table);
  if (me === null) return { tell: say('command.watching') };
  const open = (['draw', 'takeback', 'rematch'] as const).find((kind) => {
    const by = table.game.offers[kind];
    return by !== null && by !== me;
  });
  return open ? { send: { t: open, do: 'decline' } } : { tell: say('offer.none') };
}
