import { describe, expect, it } from 'vitest';
import { noticeOf } from '../../../src/game/view/notices';
import type { ClockEvent, GameSnapshot, MoveEvent, OfferEvent } from '../../../src/net/protocol';

describe('notices', () => {
  const clock = { w: 60_000, b: 50_000, run: 'w' as const, at: 1_000 };
  const was = { clock } as unknown as GameSnapshot;

  it('tells of an offer that was declined only who made it', () => {
    const message: OfferEvent = { t: 'offer', g: 'a', seq: 1, what: 'draw', do: 'decline', by: 'b' };
    expect(noticeOf(message, was, 'w')).toBe('Your opponent declined a draw.');
    expect(noticeOf(message, was, 'b')).toBe('');
  });

  it('is old when something is offered', () => {
    expect(noticeOf({ t: 'offer', g: 'a', seq: 1, what: 'draw', do: 'offer', by: 'w' }, was, 'w')).toBe('');
  });

  it('is old when the game ends', () => {
    expect(noticeOf({ t: 'end', g: 'a', seq: 1, result: '0-1', reason: 'resignation', clock: null, ratings: null }, was, 'w')).toBe('');
  });

  it('tells that a move has declined the offer', () => {
    const offered = { ...was, offers: { draw: 'w', takeback: null, rematch: null } } as GameSnapshot;
    const move = { t: 'move', by: 'b' } as MoveEvent;
    expect(noticeOf(move, offered, 'w')).toBe('Your opponent declined a draw.');
    expect(noticeOf(move, { ...offered, offers: { draw: null, takeback: null, rematch: null } }, 'w')).toBeNull();
    expect(noticeOf({ ...move, by: 'w' }, offered, 'w')).toBeNull();
  });

  it('tells how much time was given, whatever has run off meanwhile', () => {
    const message: ClockEvent = { t: 'clock', g: 'a', seq: 1, why: 'moretime', by: 'b', clock: { ...clock, w: 73_000, at: 3_000 } };
    expect(noticeOf(message, was, 'w')).toBe('Your opponent gave you 15 seconds.');
    expect(noticeOf(message, was, 'b')).toBe('You gave your opponent 15 seconds.');
    expect(noticeOf({ ...message, why: 'pause' }, was, 'w')).toBeNull();
  });
});
