import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noticeOf } from '../../src/game/view/notices';
import type { GameSnapshot } from '../../src/net/protocol';
import { ClickGuard } from '../../src/ui/click-guard';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('Settling', () => {
  const drawn = (settling: ClickGuard, ...names: string[]) => {
    const settled = names.map((name) => settling.isReady(name));
    settling.sweep();
    return settled;
  };

  it('lets through only what has been there for a while, and tells when it has', () => {
    const changed = vi.fn();
    const settling = new ClickGuard(changed);
    expect(drawn(settling, 'resign', 'draw')).toEqual([false, false]);
    vi.advanceTimersByTime(399);
    expect(drawn(settling, 'resign', 'draw')).toEqual([false, false]);
    vi.advanceTimersByTime(1);
    expect(changed).toHaveBeenCalled();
    expect(drawn(settling, 'resign', 'draw', 'accept')).toEqual([true, true, false]);
  });

  it('has what was gone settle again', () => {
    const settling = new ClickGuard(() => undefined);
    drawn(settling, 'accept');
    vi.advanceTimersByTime(400);
    drawn(settling);
    expect(drawn(settling, 'accept')).toEqual([false]);
  });
});

describe('news', () => {
  const clock = { w: 60_000, b: 50_000, run: 'w' as const, at: 1_000 };
  const was = { clock } as unknown as GameSnapshot;

  it('tells of an offer that was declined only who made it', () => {
    const message = { t: 'offer', what: 'draw', do: 'decline', by: 'b' };
    expect(noticeOf(message, was, 'w')).toBe('Your opponent declined a draw.');
    expect(noticeOf(message, was, 'b')).toBe('');
  });

  it('is old when something is offered', () => {
    expect(noticeOf({ t: 'offer', what: 'draw', do: 'offer', by: 'w' }, was, 'w')).toBe('');
  });

  it('tells how much time was given, whatever has run off meanwhile', () => {
    const message = { t: 'clock', why: 'moretime', by: 'b', clock: { ...clock, w: 73_000, at: 3_000 } };
    expect(noticeOf(message, was, 'w')).toBe('+15 s from your opponent.');
    expect(noticeOf(message, was, 'b')).toBe('Your opponent has 15 s more.');
    expect(noticeOf({ ...message, why: 'pause' }, was, 'w')).toBeNull();
  });
});
