import { describe, expect, it } from 'vitest';
import { noticeOf } from '../../../src/game/view/notices';
import type { ClockEvent, GameSnapshot, MoveEvent, OfferEvent, TakebackEvent } from '../../../src/net/protocol';

describe('notices', () => {
  const clock = { w: 60_000, b: 50_000, run: 'w' as const, at: 1_000 };
  const NONE = { draw: null, takeback: null, rematch: null };
  const was = { clock, offers: NONE } as unknown as GameSnapshot;

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
    const offered = { ...was, offers: { ...NONE, draw: 'w' } } as GameSnapshot;
    const move = { t: 'move', by: 'b' } as MoveEvent;
    expect(noticeOf(move, offered, 'w')).toBe('Your opponent declined a draw.');
    expect(noticeOf(move, was, 'w')).toBeNull();
    expect(noticeOf({ ...move, by: 'w' }, offered, 'w')).toBeNull();
  });

  it('tells both that a request was withdrawn', () => {
    const asked = { ...was, offers: { ...NONE, takeback: 'w' } } as GameSnapshot;
    const message: OfferEvent = { t: 'offer', g: 'a', seq: 1, what: 'takeback', do: 'decline', by: 'w' };
    expect(noticeOf(message, asked, 'w')).toBe('Takeback request withdrawn.');
    expect(noticeOf(message, asked, 'b')).toBe('Your opponent withdrew the takeback request.');
    expect(noticeOf({ ...message, by: 'b' }, asked, 'w')).toBe('Your opponent declined a takeback.');
  });

  it('tells what has lapsed', () => {
    const both = { ...was, offers: { ...NONE, draw: 'w', takeback: 'w' } } as GameSnapshot;
    const move = { t: 'move', by: 'b' } as MoveEvent;
    expect(noticeOf(move, both, 'w')).toBe('Your opponent declined a draw. Your opponent moved, so your takeback request lapsed.');
    const back = { t: 'takeback', plies: 1 } as TakebackEvent;
    expect(noticeOf(back, both, 'w')).toBe('A move was taken back, so your draw offer lapsed.');
    expect(noticeOf(back, both, 'b')).toBe('');
  });

  it('tells how much time was given, whatever has run off meanwhile', () => {
    const message: ClockEvent = { t: 'clock', g: 'a', seq: 1, why: 'moretime', by: 'b', clock: { ...clock, w: 73_000, at: 3_000 } };
    expect(noticeOf(message, was, 'w')).toBe('Your opponent gave you 15 seconds.');
    expect(noticeOf(message, was, 'b')).toBe('You gave your opponent 15 seconds.');
    expect(noticeOf({ ...message, why: 'pause' }, was, 'w')).toBeNull();
  });
});
