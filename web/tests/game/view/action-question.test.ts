import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ActionQuestion } from '../../../src/game/view/action-question';

class Target {
  constructor(private readonly within: boolean) {}

  closest(): Target | null {
    return this.within ? this : null;
  }
}

describe('the question before an action', () => {
  const told = vi.fn<(text: string) => void>();
  let press: (target: Target) => void;
  let question: ActionQuestion;

  beforeEach(() => {
    vi.useFakeTimers();
    told.mockClear();
    let listener: ((event: { target: Target }) => void) | null = null;
    press = (target) => listener?.({ target });
    vi.stubGlobal('Element', Target);
    vi.stubGlobal('document', {
      addEventListener: (_: string, act: typeof listener) => (listener = act),
      removeEventListener: () => (listener = null),
    });
    question = new ActionQuestion(() => undefined, told, () => 'Cancelled.');
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('is told, and expires after some seconds', () => {
    question.ask('draw', 'Press again.');
    vi.advanceTimersByTime(4_000);
    expect(question.asked).toBe('draw');
    vi.advanceTimersByTime(2_000);
    expect(question.asked).toBeNull();
    expect(told.mock.calls.flat()).toEqual(['Press again.', 'Cancelled.']);
  });

  it('is cancelled by a press elsewhere, not by one on its button', () => {
    question.ask('resign', 'Press again.');
    press(new Target(true));
    expect(question.asked).toBe('resign');
    press(new Target(false));
    expect(question.asked).toBeNull();
    expect(question.cancel()).toBe(false);
    expect(told).toHaveBeenCalledTimes(2);
  });

  it('of another action takes its place, with its own time', () => {
    question.ask('draw', 'One.');
    vi.advanceTimersByTime(4_000);
    question.ask('resign', 'Two.');
    vi.advanceTimersByTime(4_000);
    expect(question.asked).toBe('resign');
    question.clear();
    vi.advanceTimersByTime(9_000);
    expect(told.mock.calls.flat()).toEqual(['One.', 'Two.']);
  });
});
