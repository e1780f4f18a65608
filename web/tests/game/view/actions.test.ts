import { nothing } from 'lit-html';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { App } from '../../../src/app';
import type { OpponentAbsence } from '../../../src/game/play/opponent-absence';
import { ActionBar, type Situation } from '../../../src/game/view/actions';
import type { GameSnapshot } from '../../../src/net/protocol';
import { say } from '../../../src/words/words';
import { SNAPSHOT } from '../../state/snapshot';
import { handlers, text } from '../../ui/template-text';
import { byLaws, LAWS } from '../laws/laws-snapshot';

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
  laws: null,
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

it('has a place of its own for a takeback, beside an offer of a draw', () => {
  const asked = (takeback: 'w' | 'b'): string => {
    const now = situation('b');
    return text(bar.draw({ ...now, game: { ...now.game, simul: null, offers: { ...now.game.offers, takeback } } }), true);
  };
  for (const name of ['accept-draw', 'decline-draw', 'accept-takeback', 'decline-takeback']) expect(asked('b')).toContain(name);
  const [, apart] = asked('b').split('ask apart');
  expect(apart).not.toContain('-draw');
  expect(asked('w')).toContain('cancel-takeback');
  expect(asked('w')).not.toContain('decline-takeback');
});

it('withdraws one’s own request', async () => {
  const sent: unknown[] = [];
  const app = { ...APP, attempt: (what: () => unknown) => what(), change: (message: unknown) => sent.push(message) } as unknown as App;
  bar = new ActionBar(app, 'g1', {} as never, {} as never, null, () => undefined);
  const now = situation(null);
  const mine = () => handlers(bar.draw({ ...now, game: { ...now.game, simul: null, offers: { ...now.game.offers, takeback: 'w' } } }), 'click')[0]!;
  mine()({ detail: 1 } as MouseEvent);
  // It has just appeared: the click was meant for what was there before.
  expect(sent).toEqual([]);
  vi.runAllTimers();
  mine()({ detail: 1 } as MouseEvent);
  expect(sent).toEqual([{ t: 'takeback', do: 'decline', g: 'g1' }]);
});

it('leaves a rematch to the bars of two players at this device', () => {
  const over = (laws: object | null) => text(bar.draw({ ...situation(null), game: { ...byLaws({}, { status: 'over', simul: null }), laws } as GameSnapshot, own: ['w', 'b'] }), true);
  expect(over(null)).toContain(say('do.rematch'));
  expect(over(LAWS)).not.toContain(say('do.rematch'));
});
