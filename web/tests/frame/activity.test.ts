import type { TemplateResult } from 'lit-html';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Activity } from '../../src/frame/activity';
import { OwnGames } from '../../src/frame/own-games';
import { Lines } from '../net/fake-transport';
import { seat, SNAPSHOT } from '../state/snapshot';

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

/** The text of a template, as far as it is text. */
function text(value: unknown): string {
  if (Array.isArray(value)) return value.map(text).join('');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null || !('strings' in value)) return '';
  const { strings, values } = value as TemplateResult;
  return strings.reduce((all, part, index) => `${all}${part}${text(values[index])}`, '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

it('shows two own games in one chip, told apart by opponent, colour and time control', () => {
  lines.wire.welcome({ id: 'anna', name: 'Anna' }, ['one', 'two']);
  own.keep(null);
  lines.wire.say({ ...SNAPSHOT, g: 'one', tc: { base_s: 180, inc_s: 2 }, players: { w: seat('Anna'), b: seat('Bert') } });
  lines.wire.say({ ...SNAPSHOT, g: 'two', tc: { base_s: 900, inc_s: 10 }, players: { w: seat('Carla'), b: seat('Anna') } });
  const waits = { items: () => [] as TemplateResult[] };
  const items = own.items().map(text);
  expect(items).toHaveLength(2);
  expect(items.find((item) => item.includes('Bert'))).toMatch(/White · 3\+2/);
  expect(items.find((item) => item.includes('Carla'))).toMatch(/Black · 15\+10/);
  const chip = text(new Activity([waits, own], () => own.waiting()).draw());
  expect(chip).toContain('Bert');
  expect(chip).toContain('Carla');
  expect(chip.trimStart().startsWith('2')).toBe(true);
});
