import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FrameLimiter } from '../../src/ui/frame-limiter';

/** What waits for the next frame. */
let due: (() => void)[];
let again: number;
let frames: FrameLimiter;

const frame = (): void => due.splice(0).forEach((run) => run());

beforeEach(() => {
  vi.useFakeTimers();
  due = [];
  again = 0;
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => due.push(run));
  vi.stubGlobal('cancelAnimationFrame', () => due.splice(0));
  frames = new FrameLimiter(() => (again += 1));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('draws at once, and no more until the next frame', () => {
  expect([frames.take(), frames.take(), frames.take()]).toEqual([true, false, false]);
  frame();
  expect(again).toBe(1);
  expect(frames.take()).toBe(true);
});

it('asks for nothing where nothing was refused', () => {
  frames.take();
  frame();
  expect(again).toBe(0);
});

it('goes on where there are no frames', () => {
  frames.take();
  frames.take();
  vi.advanceTimersByTime(1_000);
  expect(again).toBe(1);
  expect(due).toEqual([]);
});

it('ends with its page', () => {
  frames.take();
  frames.take();
  frames.close();
  frame();
  vi.advanceTimersByTime(1_000);
  expect(again).toBe(0);
});
