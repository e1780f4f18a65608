import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
