import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answer } from '../../../src/access/commands';
import { CHESS_KIND } from '../../../src/board/chess/kind';
import { LawsCommands } from '../../../src/game/laws/commands';
import type { Color, GameSnapshot } from '../../../src/net/protocol';
import { DEFAULTS } from '../../../src/settings/settings';
import { table } from '../../access/accessible-game';
import { byLaws, KNIGHT } from './laws-snapshot';

describe('typed commands', () => {
  const press = vi.fn<(color: Color) => Promise<void>>(() => Promise.resolve());
  let laws: LawsCommands;

  beforeEach(() => {
    press.mockClear();
    laws = new LawsCommands({
      press,
      actionsOf: () => [
        { name: 'adjust', label: 'J’adoube', icon: 'hand', message: { t: '' } },
        { name: 'illegal', label: 'Illegal!', icon: 'eye', message: { t: '' } },
        { name: 'draw', label: 'Offer draw', icon: 'half', message: { t: '' }, off: true },
      ],
      boardAt: (game) => ({ kind: CHESS_KIND, base: CHESS_KIND.placement(game.position) }),
      writing: () => DEFAULTS,
    });
  });

  const at = (game: GameSnapshot, own: Color[] = ['w']) => table(game, own, { laws });
  const asked = (text: string, game = byLaws(), own: Color[] = ['w']) => answer(text, at(game, own), { settings: DEFAULTS, confirming: undefined });

  it('press the clock on one’s own turn', () => {
    expect(asked('press').tell).toBe('Clock pressed.');
    expect(press).toHaveBeenCalledExactlyOnceWith('w');
    expect(asked('press', byLaws(), ['b']).tell).toBe('It is not your turn.');
    expect(press).toHaveBeenCalledTimes(1);
  });

  it('touch pieces and adjust them', () => {
    expect(asked('touch g1').send).toEqual({ t: 'touch', square: 'g1' });
    expect(asked('touch k9').tell).toBe('Which square? For example: touch e2.');
    expect(asked('adjust').send).toEqual({ t: 'signal', on: true });
    expect(asked('adjust', byLaws({ adjusting: true })).send).toEqual({ t: 'signal', on: false });
  });

  it('claim illegal moves and flags', () => {
    expect(asked('claim illegal', byLaws({ may_claim: true })).send).toEqual({ t: 'claim', what: 'illegal_move' });
    expect(asked('claim illegal').tell).toBe('There is no move to claim now.');
    expect(asked('flag', byLaws({ flag: 'claim' })).send).toEqual({ t: 'flag' });
    expect(asked('flag').tell).toBe('The server watches the flags in this game.');
  });

  it('claim a draw when said twice, or with a move', () => {
    const game = byLaws();
    expect(asked('claim', game).tell).toMatch(/^A wrong claim/);
    expect(asked('claim', game).send).toEqual({ t: 'draw', do: 'claim' });
    expect(asked('claim Nf3', game).send).toEqual({ t: 'draw', do: 'claim', move: 'g1f3' });
  });

  it('offer a draw with the made move only, and accept one at any time', () => {
    expect(asked('draw').tell).toMatch(/^Make your move first/);
    expect(asked('draw', byLaws({ made: KNIGHT })).confirm).toBe('draw');
    expect(asked('draw', byLaws({}, { offers: { draw: 'b', takeback: null, rematch: null } })).send).toEqual({ t: 'draw', do: 'accept' });
  });

  it.each(['takeback', 'abort', 'moretime', 'pause', 'hint'])('have no %s', (word) => {
    expect(asked(word).tell).toBe('There is no such action in a game by the Laws.');
  });

  it('may resign from the start', () => {
    expect(asked('resign', byLaws({}, { moves: [] })).confirm).toBe('resign');
  });

  it('press the clock by the space bar once a move is made', () => {
    expect([laws.space(at(byLaws())), laws.space(at(byLaws({ made: KNIGHT }), ['b']))]).toEqual([false, false]);
    // Of two players at one device it could be the other.
    expect(laws.space(at(byLaws({ made: KNIGHT }), ['w', 'b']))).toBe(false);
    expect(laws.space(at(byLaws({ made: KNIGHT })))).toBe(true);
    expect(press).toHaveBeenCalledExactlyOnceWith('w');
  });

  it('make illegal moves by squares', () => {
    expect(asked('g1g4').play).toBe('g1g4');
    expect(asked('e1d1').fault).toBe(true);
    expect(asked('e7e5').fault).toBe(true);
    expect(asked('Ng4').fault).toBe(true);
  });

  it('have buttons and lines in text mode', () => {
    expect(laws.buttons(at(byLaws())).map(({ word }) => word)).toEqual(['press', 'adjust', 'claim illegal']);
    expect(laws.lines(at(byLaws({ illegal: { w: 0, b: 2 } })))).toEqual(['Make your move, then press your clock.', 'Black: 2 illegal moves.']);
    expect(laws.lines(at(byLaws({}, { status: 'over' })))).toEqual([]);
    expect(laws.help()).toHaveLength(6);
  });
});
