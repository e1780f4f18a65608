import { expect, test } from 'vitest';
import { controlOf, faultOf, newTempo, presetControl, PRESETS, tempoOf, type TempoDraft } from '../../src/time/control-draft';
import { pace_s, speedOf } from '../../src/time/speed';

const custom = (change: Partial<TempoDraft>): TempoDraft => ({ ...newTempo(), pick: 'custom', ...change });

test.each([
  ['5+3', { base_s: 300, inc_s: 3 }],
  ['none', null],
  ['days', { days: 2 }],
])('%s is a control', (pick, control) => {
  const draft = { ...newTempo(), pick };
  expect(faultOf(draft)).toBeNull();
  expect(controlOf(draft)).toEqual(control);
});

test.each([
  ['increment', { base_s: 150, inc_s: 5 }],
  ['delay', { base_s: 150, delay_s: 5 }],
  ['bronstein', { base_s: 150, bronstein_s: 5 }],
] as const)('%s is written as the protocol has it', (kind, control) => {
  expect(controlOf(custom({ kind, minutes: 2.5, seconds: 5 }))).toEqual(control);
});

test.each([0.25, 0.5, 1.75, 180])('%d minutes are some', (minutes) => {
  expect(faultOf(custom({ minutes }))).toBeNull();
});

test('the last period may be for the rest of the game, no other', () => {
  const first = { moves: 40, minutes: 90, inc_s: 30 };
  const rest = { moves: null, minutes: 30, inc_s: 30 };
  expect(controlOf(custom({ kind: 'periods', periods: [first, rest] }))).toEqual({
    periods: [
      { moves: 40, base_s: 5400, inc_s: 30 },
      { base_s: 1800, inc_s: 30 },
    ],
  });
  expect(faultOf(custom({ kind: 'periods', periods: [first, rest] }))).toBeNull();
  expect(faultOf(custom({ kind: 'periods', periods: [rest, first] }))).toBe('create.fault.moves');
});

test.each([
  ['no time at all', custom({ minutes: 0, seconds: 0 }), 'create.fault.zero'],
  ['a delay without time', custom({ kind: 'delay', minutes: 0, seconds: 5 }), 'create.fault.zero'],
  ['an emptied field', custom({ minutes: NaN }), 'create.fault.base'],
  ['over three hours', custom({ minutes: 181 }), 'create.fault.base'],
  ['no whole second', custom({ minutes: 0.001 }), 'create.fault.base'],
  ['no quarter of a minute', custom({ minutes: 1.3 }), 'create.fault.base'],
  ['no quarter in a period', custom({ kind: 'periods', periods: [{ moves: null, minutes: 90.1, inc_s: 0 }] }), 'create.fault.base'],
  ['half a second', custom({ seconds: 0.5 }), 'create.fault.seconds'],
  ['too many days', { ...newTempo(), pick: 'days', days: 15 }, 'create.fault.days'],
] as const)('%s is no control', (_what, draft, fault) => {
  expect(faultOf(draft)).toBe(fault);
});

test('what is not shown is not judged', () => {
  expect(faultOf({ ...newTempo(), minutes: NaN, days: 99 })).toBeNull();
});

test('the presets go by the speeds that players know', () => {
  expect(PRESETS.map((preset) => speedOf(presetControl(preset)))).toEqual([
    'bullet', 'bullet', 'blitz', 'blitz', 'blitz', 'blitz', 'rapid', 'rapid', 'rapid', 'classical',
  ]);
  expect(speedOf({ periods: [{ moves: 40, base_s: 5400, inc_s: 30 }, { base_s: 1800, inc_s: 30 }] })).toBe('classical');
  // Twelve moves a minute, repeatedly: four minutes for forty.
  expect(pace_s({ periods: [{ moves: 12, base_s: 60, inc_s: 1 }] })).toBe(4 * 60 + 40);
  expect(pace_s({ periods: [{ moves: 20, base_s: 5400, inc_s: 0 }, { moves: 15, base_s: 900, inc_s: 0 }] })).toBe(5400 + 2 * 900);
  expect([speedOf(null), speedOf({ days: 3 })]).toEqual(['unlimited', 'correspondence']);
});

test('a known control is its preset, or a custom one', () => {
  expect(tempoOf({ base_s: 180, inc_s: 2 }).pick).toBe('3+2');
  expect(tempoOf({ base_s: 180, delay_s: 2 })).toMatchObject({ pick: 'custom', kind: 'delay', minutes: 3, seconds: 2 });
  expect(tempoOf({ base_s: 420, inc_s: 0 })).toMatchObject({ pick: 'custom', kind: 'increment', minutes: 7, seconds: 0 });
  expect(tempoOf({ days: 3 })).toMatchObject({ pick: 'days', days: 3 });
});
