import { describe, expect, it } from 'vitest';
import { CHESS_KIND } from '../../../src/board/chess/kind';
import { groundOf } from '../../../src/board/draughts/ground';
import { groundKind } from '../../../src/board/ground/kind';
import { boundTargets, byHand, isPromoting, moveText, squareUnder } from '../../../src/game/laws/hands';
import { byLaws, KNIGHT, type Laws } from './laws-snapshot';

const LEGAL = ['g1f3', 'g1e2', 'd2d4', 'e1e2'];
const DRAUGHTS = groundKind(groundOf('international'));

function hands(change: Partial<Laws>, fen?: string, legal: readonly string[] = LEGAL) {
  const game = byLaws(change, fen === undefined ? {} : { position: fen });
  return byHand({ kind: CHESS_KIND, game, base: CHESS_KIND.placement(game.position), legal: CHESS_KIND.destinations(legal, game) });
}

describe('by hand', () => {
  it('any own piece can be put on any square without an own piece', () => {
    const all = hands({});
    expect(all.get('a1')!.get('a8')).toEqual(['a1a8']);
    expect(all.get('g1')!.get('f3')).toEqual(['g1f3']);
    expect(all.get('g1')!.has('e2')).toBe(true);
    expect(all.get('a1')!.has('b1')).toBe(false);
    expect(all.has('e7')).toBe(false);
  });

  it('only pieces that touch-move leaves can be moved', () => {
    expect([...hands({ bound: ['g1f3', 'g1e2'] }).keys()]).toEqual(['g1']);
  });

  it('a legal move that is made stands', () => {
    expect(hands({ made: KNIGHT }).size).toBe(0);
  });

  it('an illegal one can be made again from where the piece lies', () => {
    const made = { ...KNIGHT, move: 'g1g4' };
    const all = hands({ made, bound: ['g1f3', 'g1e2'] });
    expect([...all.keys()]).toEqual(['g4']);
    expect(all.get('g4')!.get('f3')).toEqual(['g1f3']);
    expect(all.get('g4')!.has('g1')).toBe(false);
  });

  it('a pawn arrives first, and then is promoted', () => {
    const fen = '8/P6k/8/8/8/8/8/K7 w - - 0 1';
    const legal = ['a7a8q', 'a7a8r', 'a7a8b', 'a7a8n'];
    expect(hands({}, fen, legal).get('a7')!.get('a8')).toEqual(['a7a8']);
    const made = { move: 'a7a8', san: 'a8', position: 'P7/7k/8/8/8/8/8/K7 w - - 0 1', draw: false };
    expect(hands({ made }, fen, legal).size).toBe(0);
    expect(isPromoting(byLaws({ made }))).toBe(true);
    expect(isPromoting(byLaws({ made: { ...made, position: 'Q7/7k/8/8/8/8/8/K7 b - - 0 1' } }))).toBe(false);
    expect(isPromoting(byLaws({ made: KNIGHT }))).toBe(false);
    expect(isPromoting(byLaws())).toBe(false);
  });

  it('marks the targets that touch-move leaves', () => {
    expect(boundTargets(CHESS_KIND, byLaws({ bound: ['g1f3', 'g1e2'] }).laws!)).toEqual(['f3', 'e2']);
    expect(boundTargets(CHESS_KIND, byLaws().laws!)).toEqual([]);
  });
});

it('a man of draughts that goes over one of the opponent’s captures it', () => {
  const base = DRAUGHTS.placement('W:W32,38:B28,23');
  expect(moveText(DRAUGHTS, base, '32', '27')).toBe('32-27');
  expect(moveText(DRAUGHTS, base, '32', '14')).toBe('32-14');
  expect(moveText(DRAUGHTS, base, '38', '27')).toBe('38-27');
  const one = DRAUGHTS.placement('W:W32:B28');
  expect(moveText(DRAUGHTS, one, '32', '23')).toBe('32x23');
});

it('the square under the pointer is that of the side at the bottom', () => {
  const box = { left: 100, top: 50, width: 800, height: 800 } as DOMRect;
  const at = (x: number, y: number, bottom: 'w' | 'b' = 'w') => squareUnder(CHESS_KIND, box, bottom, { clientX: x, clientY: y } as MouseEvent);
  expect(at(150, 800)).toBe('a1');
  expect(at(150, 800, 'b')).toBe('h8');
  expect(at(50, 800)).toBeNull();
  expect(squareUnder(DRAUGHTS, box, 'w', { clientX: 220, clientY: 60 } as MouseEvent)).toBe('1');
});
