import { describe, expect, it } from 'vitest';
import { Chat } from '../../../src/game/view/chat';
import { provisionalGame } from '../../../src/simul/state/provisional-game';
import { say } from '../../../src/words/words';
import { board, snapshot } from '../../simul/boards';
import { text } from '../../ui/template-text';

const SPECTATORS = say('chat.spectators');
const game = { ...provisionalGame(snapshot(), board(1)), you: 'w' as const };
const drawnFor = (id: string | null) => text(new Chat({ socket: { user: id === null ? null : { id } } } as never, 'game:g1').draw(game), true);

describe('the room of the chat', () => {
  it('is that of the players for the two, also before it is known who the person is', () => {
    for (const id of ['host', 'p1', null]) expect(drawnFor(id)).not.toContain(SPECTATORS);
  });

  it('is that of the spectators for a stand-in, who plays for one of them', () => {
    expect(drawnFor('deputy')).toContain(SPECTATORS);
  });
});
