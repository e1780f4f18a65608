import { describe, expect, it } from 'vitest';
import { groundOf as draughts } from '../../../src/board/draughts/ground';
import { Premoves } from '../../../src/board/ground/premoves';

const ground = draughts('international');

function early(fen = 'W:W32,38:B19,K5', ahead: 'w' | 'b' | null = 'b', turn: 'w' | 'b' = 'w') {
  const made = new Premoves(ground);
  made.show({ premoveColor: ahead, turn }, ground.placement(fen), true);
  return made;
}

describe('a move ahead of its turn', () => {
  it('is any that the piece could ever make', () => {
    const at = early();
    expect(at.any).toBe(true);
    expect(at.targets('19')).toEqual(expect.arrayContaining(['23', '24']));
    expect(at.targets('19')).not.toContain('19');
    expect(at.moves()).toContain('5-46');
    expect(at.moves()).not.toContain('32-28');
    expect(at.set('32', '28')).toBe(false);
    expect(at.set('19', '18')).toBe(false);
    expect(at.set('19', '23')).toBe(true);
    expect(at.waiting).toEqual({ from: '19', to: '23', soon: false });
  });

  it('is nobody’s whose turn it is', () => {
    for (const at of [early(undefined, null), early(undefined, 'w', 'w')]) {
      expect(at.any).toBe(false);
      expect(at.moves()).toEqual([]);
      expect(at.press('19', false)).toBe('nothing');
    }
  });

  it('is one’s own in the moment before one may move', () => {
    const made = new Premoves(ground);
    made.show({ premoveColor: 'w', turn: 'w', soon: true }, ground.placement('W:W32,38:B19,K5'), true);
    expect(made.any).toBe(true);
    expect(made.set('32', '28')).toBe(true);
    expect(made.waiting).toEqual({ from: '32', to: '28', soon: true });
  });

  it('is put together by pressing, and dropped by pressing once more', () => {
    const at = early();
    expect(at.press('32', false)).toBe('nothing');
    expect(at.press('19', false)).toBe('took');
    expect(at.press('19', false)).toBe('held');
    expect(at.press('24', false)).toBe('nothing');
    expect([at.from, at.waiting]).toEqual([null, { from: '19', to: '24', soon: false }]);
    expect(at.press(null, false)).toBe('nothing');
    expect(at.waiting).toBeNull();
  });

  it('goes nowhere by pressing where pieces are only dragged', () => {
    const at = early();
    at.press('19', true);
    expect(at.press('24', true)).toBe('nothing');
    expect([at.from, at.waiting]).toEqual([null, null]);
  });

  it('is marked where that says something', () => {
    const at = early();
    expect(at.marks()).toEqual([]);
    at.press('19', false);
    expect(at.marks()).toEqual(at.targets('19'));
    const far = early('W:W38:BK28');
    far.press('28', false);
    expect(far.targets('28')).toHaveLength(49);
    expect(far.marks()).toEqual([]);
  });

  it('lets go of the piece when something is new, and of all when asked', () => {
    const at = early();
    at.press('19', false);
    at.show({ premoveColor: 'b', turn: 'w' }, ground.placement('W:W32,38:B19,K5'), false);
    expect(at.from).toBe('19');
    at.show({ premoveColor: 'b', turn: 'w' }, ground.placement('W:W28,38:B19,K5'), true);
    expect(at.from).toBeNull();
    expect(at.forget()).toBe(false);
    at.set('19', '23');
    expect(at.forget()).toBe(true);
    expect(at.waiting).toBeNull();
  });
});
