import type { TemplateResult } from 'lit-html';
import { beforeEach, expect, it, vi } from 'vitest';
import type { App } from '../../../src/app';
import { robotTile } from '../../../src/lobby/page/robot-tile';
import type { Robots } from '../../../src/net/protocol';
import { text } from '../../ui/template-text';

const INSTEAD = { t: 'challenge', to: 'robot', level: 3 };

let robots: Robots | null | undefined;
let instead: object | null;
const ask = vi.fn();
const create = vi.fn();
const say = vi.fn();

const app = {
  seeks: { robots: () => robots },
  pool: { instead: () => instead, now: { pool: '5+0' } },
  gameRequests: { ask, isUnderway: () => false },
  create,
  say,
} as unknown as App;

const tile = (): TemplateResult => robotTile(app, 'standard');

function press(clicks = 1): void {
  const click = tile().values.find((value) => typeof value === 'function') as (event: object) => void;
  click({ detail: clicks });
}

beforeEach(() => {
  robots = { busy: false, games: { chess: ['standard'] } };
  instead = null;
  for (const mock of [ask, create, say]) mock.mockReset();
});

it('opens the form of a game against a robot', () => {
  expect(text(tile())).toContain('Level 3');
  press();
  press(2);
  expect(create.mock.calls).toEqual([[{ robot: true, variant: 'standard' }]]);
});

it.each([
  [null, 'not available', 'The computer isn’t available right now.'],
  [{ busy: true, games: { chess: ['standard'] } }, 'busy', 'The computer is busy. Try again in a moment.'],
  [{ busy: false, games: { draughts: ['russian'] } }, 'no engine', 'The computer can’t play this game here: its engine isn’t installed.'],
  [{ busy: false, games: { chess: ['chess960'] } }, 'not this variant', 'The computer doesn’t play this variant.'],
])('with %o it says %s, and why when it is pressed', (now, short, why) => {
  robots = now as Robots | null;
  expect(text(tile())).toContain(short);
  expect(text(tile(), true)).toContain('aria-disabled=true');
  press();
  expect(create).not.toHaveBeenCalled();
  expect(say).toHaveBeenCalledWith(why);
});

it('opens the form before it is known whether robots play', () => {
  robots = undefined;
  press();
  expect(create).toHaveBeenCalledOnce();
});

it('starts the game that is offered instead of waiting', () => {
  instead = INSTEAD;
  expect(text(tile())).toContain('Play 5+0 now');
  press();
  press(2);
  expect(ask.mock.calls).toEqual([[INSTEAD]]);
});
