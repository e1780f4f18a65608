import { describe, expect, it } from 'vitest';
import { changesOf } from '../../../src/simul/live/host-extension';
import { heldAt, prepares } from '../../../src/simul/state/host-distance';
import { board, snapshot } from '../boards';

const form = (filled: Record<string, string>) => ({ get: (name: string) => filled[name] ?? null });

describe('what is asked for of a board', () => {
  it('is only what has been changed', () => {
    expect(changesOf(board(1), '', form({ player: '60', host: '0', note: ' left-handed ' }))).toEqual({ player_extra_s: 60, note: 'left-handed' });
    expect(changesOf(board(1, { host_extra_s: 5 }), 'a', form({ player: '0', host: '30', note: '' }))).toEqual({ host_extra_s: 30, note: '' });
  });

  it('is nothing where nothing is', () => {
    expect(changesOf(board(1, { player_extra_s: 60 }), 'a', form({ player: '60', note: 'a' }))).toBeNull();
  });

  it('takes back no time that was given', () => {
    expect(changesOf(board(1, { player_extra_s: 60 }), '', form({ player: '20' }))).toBeNull();
    expect(changesOf(board(1, { player_extra_s: 60 }), '', form({ player: 'x' }))).toBeNull();
  });

  it('leaves alone what the form does not have', () => {
    expect(changesOf(board(1, { host_extra_s: 60 }), 'a', form({ note: 'b' }))).toEqual({ note: 'b' });
  });
});

describe('why clocks stand', () => {
  const clock = { w: 0, b: 0, run: 'b', at: 0, held: 'round' } as const;

  it('is told by the game, or without clocks by the store', () => {
    expect(heldAt(board(1, { clock }), { clock: { ...clock, held: 'countdown' } })).toBe('countdown');
    expect(heldAt(board(1, { clock }), { clock: null })).toBe('round');
    expect(heldAt(board(1, { clock }), null)).toBe('round');
  });

  it('tells whether a move is made ready', () => {
    const now = snapshot({ mode: 'round', at: 1 });
    expect(prepares(now, board(1), 'round')).toBe(true);
    expect(prepares(now, board(1), 'countdown')).toBe(false);
    expect(prepares(now, board(2), undefined)).toBe(true);
  });
});
