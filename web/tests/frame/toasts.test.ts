import { beforeEach, afterEach, expect, test, vi } from 'vitest';
import { Toasts } from '../../src/frame/toasts';

const texts = (toasts: Toasts) => (toasts as unknown as { shown: { text: string }[] }).shown.map(({ text }) => text);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('what is told goes by itself, or when what it leads to is settled', () => {
  const changed = vi.fn();
  const toasts = new Toasts(changed);
  toasts.add('Anna invites you', { href: '/challenge/a', label: 'View' });
  toasts.add('Bert invites you', { href: '/challenge/b', label: 'View' });
  toasts.add('Copied.');
  changed.mockClear();
  toasts.drop('/challenge/c');
  expect(changed).not.toHaveBeenCalled();
  toasts.drop('/challenge/a');
  expect(changed).toHaveBeenCalledOnce();
  expect(texts(toasts)).toEqual(['Bert invites you', 'Copied.']);
  vi.runAllTimers();
  expect(texts(toasts)).toEqual([]);
});

test('the same is told once, and few at a time', () => {
  const toasts = new Toasts(() => undefined);
  for (const text of ['one', 'two', 'one', 'three', 'four', '']) toasts.add(text);
  expect(texts(toasts)).toEqual(['one', 'three', 'four']);
});

test('what toasts have linked to stays known', () => {
  const toasts = new Toasts(() => undefined);
  toasts.add('Anna invites you', { href: '/challenge/a', label: 'View' });
  toasts.drop('/challenge/a');
  expect([toasts.hasTold('/challenge/a'), toasts.hasTold('/challenge/b')]).toEqual([true, false]);
});

test('a decision is shown longer, and not taken from under the pointer', () => {
  const toasts = new Toasts(() => undefined);
  toasts.add('Anna invites you', { href: '/challenge/a', label: 'View' }, [{ label: 'Accept', run: () => undefined }]);
  vi.advanceTimersByTime(10_000);
  expect(texts(toasts)).toEqual(['Anna invites you']);
  (toasts as unknown as { held: number | null }).held = 1;
  vi.advanceTimersByTime(60_000);
  expect(texts(toasts)).toEqual(['Anna invites you']);
  (toasts as unknown as { held: number | null }).held = null;
  vi.advanceTimersByTime(1_000);
  expect(texts(toasts)).toEqual([]);
});
