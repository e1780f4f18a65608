import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NavigationInput } from '../../../src/game/replay/navigation-input';
import { PlyNavigation } from '../../../src/game/replay/ply-navigation';

let over: string | null;
let pressed: (event: object) => void;
const escape = vi.fn();
const hint = vi.fn();
let navigation: PlyNavigation;

class FakeElement {}

beforeEach(() => {
  over = null;
  escape.mockClear();
  vi.stubGlobal('Element', FakeElement);
  vi.stubGlobal('document', {
    addEventListener: (_type: string, listener: (event: object) => void) => (pressed = listener),
    // What lies over the game, if the selector asks for it.
    querySelector: (selector: string) => (over !== null && selector.includes(over) ? {} : null),
  });
  navigation = new PlyNavigation(() => undefined);
  navigation.begin(Infinity, 10);
  const board = { addEventListener: () => undefined } as unknown as HTMLElement;
  const ways = { plies: () => 10, flip: () => undefined, zen: () => undefined, hint, escape, typing: () => null };
  new NavigationInput(board, navigation, ways);
});

afterEach(() => void vi.unstubAllGlobals());

const press = (key: string) => pressed({ key, target: null, preventDefault: () => undefined });

it('takes keys of the page', () => {
  press('Escape');
  expect(escape).toHaveBeenCalledOnce();
  press('ArrowLeft');
  expect(navigation.ply(10)).toBe(9);
  press('h');
  expect(hint).toHaveBeenCalledOnce();
});

it.each(['dialog[open]', ':popover-open'])('leaves them to what lies over the game: %s', (selector) => {
  over = selector;
  // Escape closes the list only after this event: a premove stays.
  press('Escape');
  press('ArrowLeft');
  expect(escape).not.toHaveBeenCalled();
  expect(navigation.ply(10)).toBe(10);
});
