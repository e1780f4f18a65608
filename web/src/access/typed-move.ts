/** A typed move: played, or kept until the turn comes, or told why not. */

import { squares } from '../moves';
import { placement, readMove, type Reading } from '../notation';
import type { Settings } from '../settings';
import { say } from '../words';
import type { Answer } from './commands';
import { isPaused, isToMove, type Table } from './table';
import { tellUci } from './tell';

export function move(text: string, table: Table, settings: Settings): Answer {
  const reading = readMove(text, table.legal ?? [], table.game, settings.letters);
  if ('fault' in reading && reading.fault === 'unreadable') return { fault: true, tell: say('entry.fault.unreadable', { text }) };
  if (table.own.length === 0) return { tell: say('entry.watching') };
  if (table.game.status === 'over') return { tell: say('command.over') };
  if (isPaused(table)) return { fault: true, tell: say('told.paused') };
  if (!isToMove(table)) return ahead(text, table, settings);
  if (table.legal === null) return { wait: true };
  if ('move' in reading) return { play: reading.move };
  if (reading.fault === 'promotion') return { tell: say('entry.fault.promotion', { text }), promote: reading.moves };
  return unclear(text, reading, table.game.position, say('entry.fault.illegal', { text }));
}

/** What is typed in the opponent's turn is played after it, if it can be then. */
function ahead(text: string, table: Table, settings: Settings): Answer {
  const found = table.ahead();
  if (found === null) return { fault: true, tell: say(settings.premove ? 'entry.not-yours' : 'ahead.off') };
  const { position } = found;
  const known = { variant: table.game.variant, position };
  const reading = readMove(text, castlingFirst(found.moves, position), known, settings.letters);
  if ('move' in reading) return { ahead: reading.move };
  // Which piece a pawn becomes may be left to the moment.
  if (reading.fault === 'promotion') return { ahead: reading.moves[0]!.slice(0, 4) };
  return unclear(text, reading, position, say('ahead.impossible', { text }));
}

function unclear(text: string, reading: Reading, position: string, impossible: string): Answer {
  if (!('moves' in reading)) return { fault: true, tell: impossible };
  const moves = reading.moves.map((uci) => tellUci(uci, position)).join(', ');
  return { fault: true, tell: say('entry.fault.ambiguous', { text, moves }) };
}

/**
 * Ahead of the turn the king may "go" to any piece of his own, to take back there; castling is typed by its own sign,
 * and that is never meant by it.
 */
function castlingFirst(moves: readonly string[], position: string): string[] {
  const board = placement(position);
  const takesBack = (uci: string) => {
    const [from, to] = squares(uci).map((square) => board.get(square));
    return from?.role === 'k' && to?.color === from.color && to.role !== 'r';
  };
  return [...moves].sort((a, b) => Number(takesBack(a)) - Number(takesBack(b)));
}
