import { html } from 'lit-html';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Activity, type ActivitySource } from '../../src/frame/activity';
import { OwnGames } from '../../src/frame/own-games';
import { Lines } from '../net/fake-transport';
import { seat, SNAPSHOT } from '../state/snapshot';
import { text } from '../ui/template-text';

const NOTHING: ActivitySource = { items: () => [] };

let lines: Lines;
let own: OwnGames;

beforeEach(() => {
  vi.useFakeTimers();
  lines = new Lines();
  own = new OwnGames(lines.socket, () => undefined);
});

afterEach(() => {
  vi.useRealTimers();
});

it('shows two own games in one chip, told apart by opponent, colour and time control', () => {
  lines.wire.welcome({ id: 'anna', name: 'Anna' }, ['one', 'two']);
  own.keep(null);
  lines.wire.say({ ...SNAPSHOT, g: 'one', tc: { base_s: 180, inc_s: 2 }, players: { w: seat('Anna'), b: seat('Bert') } });
  lines.wire.say({ ...SNAPSHOT, g: 'two', tc: { base_s: 900, inc_s: 10 }, players: { w: seat('Carla'), b: seat('Anna') } });
  const items = own.items().map((item) => text(item));
  expect(items).toHaveLength(2);
  expect(items.find((item) => item.includes('Bert'))).toMatch(/White · 3\+2/);
  expect(items.find((item) => item.includes('Carla'))).toMatch(/Black · 15\+10/);
  const chip = text(new Activity(NOTHING, [NOTHING, own], () => own.waiting()).draw());
  expect(chip).toContain('Bert');
  expect(chip).toContain('Carla');
  expect(chip.trimStart().startsWith('2')).toBe(true);
});

it('tells two games on the same terms apart by how far they are', () => {
  lines.wire.welcome({ id: 'anna', name: 'Anna' }, ['one', 'two']);
  own.keep(null);
  const players = { w: seat('Anna'), b: seat('Anna') };
  lines.wire.say({ ...SNAPSHOT, g: 'one', players, moves: ['e2e4', 'e7e5', 'g1f3'], notation: ['e4', 'e5', 'Nf3'] });
  lines.wire.say({ ...SNAPSHOT, g: 'two', players });
  expect(own.items().map((item) => /move \d/.exec(text(item))?.[0])).toEqual(['move 2', 'move 1']);
});

it('says the words of the chip to screen readers too', () => {
  const item = html`x`;
  const chip = text(new Activity(NOTHING, [{ items: () => [item, item] }], () => 1).draw(), true);
  expect(chip).toMatch(/aria-label="Your move · Your games and searches: 2"/);
});

it('keeps the way back to a simul out of the list', () => {
  const simul = { items: () => [html`Your simul 11 waiting Return`] };
  const searches = { items: () => [html`first`, html`second`] };
  const chip = text(new Activity(simul, [searches], () => 0).draw());
  expect(chip.trim()).toMatch(/^Your simul 11 waiting Return 2\s*In progress first second$/);
  expect(text(new Activity(simul, [], () => 0).draw()).trim()).toBe('Your simul 11 waiting Return');
});

it('shows the clock of the side to move where the person plays both', () => {
  lines.wire.welcome({ id: 'anna', name: 'Anna' }, ['one']);
  own.keep(null);
  const clock = { w: 270_000, b: 304_000, run: null, at: 0 };
  lines.wire.say({ ...SNAPSHOT, g: 'one', players: { w: seat('Anna'), b: seat('Anna') }, clock, turn: 'w', status: 'live' });
  const [item] = own.items().map((one) => text(one));
  expect(item).toContain('White');
  expect(item).toContain('4:30');
});

it('knows its items by their games, whatever their order', () => {
  lines.wire.welcome({ id: 'anna', name: 'Anna' }, ['one', 'two']);
  own.keep(null);
  lines.wire.say({ ...SNAPSHOT, g: 'one', players: { w: seat('Bert'), b: seat('Anna') } });
  lines.wire.say({ ...SNAPSHOT, g: 'two', players: { w: seat('Anna'), b: seat('Carla') } });
  expect(own.keys()).toEqual(['two', 'one']);
  expect(own.items().map((item) => /Bert|Carla/.exec(text(item))?.[0])).toEqual(['Carla', 'Bert']);
});
