import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Touches } from '../../../src/game/laws/touches';

describe('touching pieces', () => {
  const touch = vi.fn<(square: string, held: boolean) => void>();
  let board: EventTarget;
  let onSelect: boolean;
  let touches: Touches;

  beforeEach(() => {
    vi.useFakeTimers();
    touch.mockReset();
    onSelect = true;
    board = new EventTarget();
    const squareAt = ({ clientX }: PointerEvent) => (clientX < 0 ? null : 'e2');
    touches = new Touches(board as HTMLElement, { squareAt, onSelect: () => onSelect, touch });
  });

  afterEach(() => vi.useRealTimers());

  const point = (type: string, more: object = {}) => board.dispatchEvent(Object.assign(new Event(type), { button: 0, isPrimary: true, clientX: 10, clientY: 10, ...more }));

  it('is selecting them', () => {
    point('pointerdown');
    expect(touch).toHaveBeenCalledExactlyOnceWith('e2', false);
    point('pointerdown', { button: 2 });
    point('pointerdown', { isPrimary: false });
    point('pointerdown', { clientX: -1 });
    expect(touch).toHaveBeenCalledTimes(1);
  });

  it('is holding them, where the person wants that', () => {
    onSelect = false;
    point('pointerdown');
    expect(touch).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    expect(touch).toHaveBeenCalledExactlyOnceWith('e2', true);
  });

  it.each([
    ['a click', () => point('pointerup')],
    ['a drag', () => point('pointermove', { clientX: 30 })],
    ['the end of the page', () => touches.close()],
  ])('is not %s then', (_what, act) => {
    onSelect = false;
    point('pointerdown');
    point('pointermove', { clientX: 12 });
    act();
    vi.advanceTimersByTime(500);
    expect(touch).not.toHaveBeenCalled();
  });
});
