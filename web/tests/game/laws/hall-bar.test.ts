import { nothing } from 'lit-html';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { App } from '../../../src/app';
import { Buttons } from '../../../src/game/laws/buttons';
import { HallBar } from '../../../src/game/laws/hall-bar';
import type { Requests } from '../../../src/game/laws/requests';
import type { GameParts } from '../../../src/game/view/layout';
import type { Color, GameSnapshot, Outgoing } from '../../../src/net/protocol';
import { say } from '../../../src/words/words';
import { handlers, text } from '../../ui/template-text';
import { byLaws } from './laws-snapshot';

let sent: [color: Color, message: Outgoing][];
let bar: HallBar;
const offered = byLaws({}, { offers: { draw: 'b', takeback: null, rematch: null } as GameSnapshot['offers'] });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { addEventListener: vi.fn(), removeEventListener: vi.fn() });
  sent = [];
  const requests = { isPressing: () => false, send: (color: Color, message: Outgoing) => sent.push([color, message]) } as unknown as Requests;
  const app = { settings: { now: { confirmResign: true } }, socket: { time: { now: () => 0 } } } as unknown as App;
  const faces = { w: {}, b: {} } as never;
  bar = new HallBar(new Buttons(app, { mover: { claiming: false } } as unknown as GameParts, requests), requests, { faces }, () => undefined, () => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const draw = (game: GameSnapshot) => bar.draw(game, 'w', 'bottom', () => nothing, '');
const click = (game: GameSnapshot, at: number) => handlers(draw(game), 'click').at(at)!({ detail: 1 } as MouseEvent);
/** What was drawn is there long enough to be clicked. */
const settle = (game: GameSnapshot) => {
  draw(game);
  vi.advanceTimersByTime(400);
};

it('asks before a player resigns, for some seconds', () => {
  const game = byLaws();
  settle(game);
  click(game, -1);
  expect(text(draw(game))).toContain(say('ask.resign'));
  // A double tap is no answer.
  click(game, -1);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(5_000);
  expect(text(draw(game))).not.toContain(say('ask.resign'));
  settle(game);
  click(game, -1);
  settle(game);
  click(game, -1);
  expect(sent).toEqual([['w', { t: 'resign' }]]);
});

it('does not take a tap for the answer to an offer that has just come', () => {
  settle(byLaws());
  // The clock button is the first.
  click(offered, 1);
  expect(sent).toEqual([]);
  settle(offered);
  click(offered, 1);
  expect(sent).toEqual([['w', { t: 'draw', do: 'accept' }]]);
});
