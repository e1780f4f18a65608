import { describe, expect, it } from 'vitest';
import { destinations, promotions, squares } from '../../src/notation/uci';

const castling = { variant: 'standard', position: 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' };

describe('destinations', () => {
  it('gathers the targets of each square', () => {
    const all = destinations(['e2e4', 'e2e3', 'g1f3'], { variant: 'standard', position: 'x' });
    expect([...all.keys()]).toEqual(['e2', 'g1']);
    expect([...all.get('e2')!.keys()]).toEqual(['e4', 'e3']);
  });

  it.each([
    ['e1g1', 'h1'],
    ['e1h1', 'g1'],
    ['e1c1', 'a1'],
    ['e1a1', 'c1'],
  ])('lets the king castle by %s from %s too, meaning the same move', (move, other) => {
    const targets = destinations([move], castling).get('e1')!;
    expect(targets.get(squares(move)[1])).toEqual([move]);
    expect(targets.get(other)).toEqual([move]);
  });

  it('keeps to the letter in Chess960, where a king may simply go to g1', () => {
    const targets = destinations(['f1g1', 'f1h1'], { variant: 'chess960', position: '8/8/8/8/8/8/8/5K1R' });
    expect([...targets.get('f1')!.keys()]).toEqual(['g1', 'h1']);
  });

  it('castles in Chess960 on the rook, and on the square the king arrives at when he cannot simply step there', () => {
    const apart = { variant: 'chess960', position: '8/8/8/8/8/8/8/1K5R' };
    const targets = destinations(['b1h1', 'b1b2'], apart).get('b1')!;
    expect(targets.get('h1')).toEqual(['b1h1']);
    expect(targets.get('g1')).toEqual(['b1h1']);
  });

  it('does not take a rook for a king', () => {
    const rook = { variant: 'standard', position: '4k3/8/8/8/8/8/8/K3R3 w - - 0 1' };
    expect([...destinations(['e1h1'], rook).get('e1')!.keys()]).toEqual(['h1']);
  });

  it('keeps all promotions of a target together', () => {
    const targets = destinations(['a7a8q', 'a7a8r', 'a7a8b', 'a7a8n'], { variant: 'standard', position: 'x' });
    expect(targets.get('a7')!.get('a8')).toHaveLength(4);
    expect(promotions(targets.get('a7')!.get('a8')!)).toEqual(['q', 'r', 'b', 'n']);
    expect(promotions(['e2e4'])).toEqual([]);
  });
});
