/** A typed move: played, set as a premove, or refused with a reason. */

import { promotions } from '../notation/uci';
import type { Reading } from '../notation/read-move';
import type { Settings } from '../settings/settings';
import { say } from '../words/words';
import { isPaused, isToMove, type AccessibleGame } from './accessible-game';
import type { Answer } from './answer';
import { tellUci } from './tell';

export function move(text: string, table: AccessibleGame, settings: Settings): Answer {
  const reading = table.kind.read(text, table.legal ?? [], table.game, settings.letters);
  if ('fault' in reading && reading.fault === 'unreadable') return { fault: true, tell: say('entry.fault.unreadable', { text }) };
  if (table.own.length === 0) return { tell: say('entry.watching') };
  if (table.game.status === 'over') return { tell: say('command.over') };
  if (isPaused(table)) return { fault: true, tell: say('told.paused') };
  if (!isToMove(table)) return ahead(text, table, settings);
  if (table.legal === null) return { wait: true };
  const draw = 'draw' in reading ? { draw: true as const } : {};
  if ('move' in reading) return { play: reading.move, ...draw };
  if (reading.fault === 'promotion') {
    const letters = promotions(reading.moves).join(', ');
    return { tell: say('entry.fault.promotion', { text, letters }), promote: reading.moves, ...draw };
  }
  const byHand = reading.fault === 'illegal' ? (table.laws?.byHand(text, table) ?? null) : null;
  if (byHand !== null) return { play: byHand, ...draw };
  return unclear(text, reading, table.game.position, settings, say('entry.fault.illegal', { text }));
}

/** A move typed during the opponent's turn becomes a premove if possible. */
function ahead(text: string, table: AccessibleGame, settings: Settings): Answer {
  const found = table.premoveOptions();
  if (found === null) return { fault: true, tell: say(settings.premove ? 'entry.not-yours' : 'ahead.off') };
  const { position } = found;
  const known = { variant: table.game.variant, position };
  const reading = table.kind.read(text, found.moves, known, settings.letters);
  if ('draw' in reading) return { fault: true, tell: say('ahead.no-draw') };
  if ('move' in reading) return { ahead: reading.move };
  // The promotion may be chosen later.
  if (reading.fault === 'promotion') return { ahead: reading.moves[0]!.slice(0, 4) };
  return unclear(text, reading, position, settings, say('ahead.impossible', { text }));
}

/** Tell which moves may be meant, or that none is possible. */
export function unclear(text: string, reading: Reading, position: string, settings: Settings, impossible: string): Answer {
  if (!('moves' in reading)) return { fault: true, tell: impossible };
  const moves = reading.moves.map((uci) => tellUci(uci, position, settings)).join(', ');
  return { fault: true, tell: say('entry.fault.ambiguous', { text, moves }) };
}
