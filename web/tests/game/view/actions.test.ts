import { nothing } from 'lit-html';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { App } from '../../../src/app';
import type { OpponentAbsence } from '../../../src/game/play/opponent-absence';
import { ActionBar, type Situation } from '../../../src/game/view/actions';
import { say } from '../../../src/words/words';
import { SNAPSHOT } from '../../state/snapshot';
import { handlers, text } from '../../ui/template-text';

const APP = { changed: () => undefined, settings: { now: { confirmDraw: true, confirmResign: true } } } as unknown as App;

/** Of a board of a simul, which has but two actions. */
const situation = (draw: 'w' | 'b' | null): Situation => ({
  game: { ...SNAPSHOT, status: 'live', simul: 's1', moves: ['e2e4', 'e7e5'], offers: { draw, takeback: null, rematch: null } },
  own: ['w'],
  loggedOut: false,
  claim: null,
  absence: { left_ms: () => null } as unknown as OpponentAbsence,
  asked: nothing,
  news: '',
  hint: '',
  premove: nothing,
  standing: nothing,
  chat: nothing,
  leaveZen: null,
});

let bar: ActionBar;
const resign = () => handlers(bar.draw(situation(null)), 'click')[1]!({ detail: 0 } as MouseEvent);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { addEventListener: vi.fn(), removeEventListener: vi.fn() });
  bar = new ActionBar(APP, 'g1', {} as never, {} as never, null, () => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('shows an offer of a draw to whoever is asked whether to resign', () => {
  resign();
  expect(text(bar.draw(situation(null)))).toContain(say('ask.resign'));
  const offered = text(bar.draw(situation('b')), true);
  expect(offered).toContain('accept-draw');
  expect(offered).not.toContain(say('ask.resign'));
});

it('does not take a key that is held for the answer to its question', () => {
  const stopped = vi.fn();
  const press = (key: string, repeat: boolean) =>
    handlers(bar.draw(situation(null)), 'keydown').forEach((handle) => handle({ key, repeat, preventDefault: stopped } as unknown as KeyboardEvent));
  press('Enter', false);
  press('Tab', true);
  expect(stopped).not.toHaveBeenCalled();
  press('Enter', true);
  expect(stopped).toHaveBeenCalledTimes(2);
});
