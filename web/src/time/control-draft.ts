/** Draft of a time control in a form, within the protocol's limits. */

import { LIMITS, type Period, type TimeControl } from '../net/protocol';
import type { PlainKey } from '../words/words';

export const CONTROL_KINDS = ['increment', 'delay', 'bronstein', 'periods'] as const;
export type ControlKind = (typeof CONTROL_KINDS)[number];

export interface PeriodDraft {
  /** Null for the rest of the game. */
  moves: number | null;
  minutes: number;
  inc_s: number;
}

export interface TempoDraft {
  /** A preset like `5+3`, or the part of the form that counts. */
  pick: string;
  kind: ControlKind;
  minutes: number;
  seconds: number;
  days: number;
  periods: PeriodDraft[];
}

export const PRESETS = ['1+0', '2+1', '3+0', '3+2', '5+0', '5+3', '10+0', '10+5', '15+10', '30+20'] as const;

/** Values of `pick`. */
export const PICKS = [...PRESETS, 'custom', 'days', 'none'] as const;

export const MOST_PERIODS = LIMITS.periods;

export const newTempo = (): TempoDraft => ({
  pick: '5+0',
  kind: 'increment',
  minutes: 20,
  seconds: 10,
  days: 2,
  periods: [
    { moves: 40, minutes: 90, inc_s: 30 },
    { moves: null, minutes: 30, inc_s: 30 },
  ],
});

export function presetControl(preset: string): TimeControl {
  const [minutes = 0, inc_s = 0] = preset.split('+').map(Number);
  return { base_s: minutes * 60, inc_s };
}

/** The control of a draft; only valid if `faultOf` finds nothing. */
export function controlOf(draft: TempoDraft): TimeControl {
  if (draft.pick === 'none') return null;
  if (draft.pick === 'days') return { days: draft.days };
  if (draft.pick !== 'custom') return presetControl(draft.pick);
  if (draft.kind === 'periods') return { periods: draft.periods.map(period) };
  const base_s = draft.minutes * 60;
  if (draft.kind === 'delay') return { base_s, delay_s: draft.seconds };
  if (draft.kind === 'bronstein') return { base_s, bronstein_s: draft.seconds };
  return { base_s, inc_s: draft.seconds };
}

const period = ({ moves, minutes, inc_s }: PeriodDraft): Period => ({
  base_s: minutes * 60,
  inc_s,
  ...(moves === null ? {} : { moves }),
});

/** `tc` as the fields of a control, a preset if there is one. */
export function tempoOf(tc: TimeControl): TempoDraft {
  const draft = newTempo();
  if (tc === null) return { ...draft, pick: 'none' };
  if ('days' in tc) return { ...draft, pick: 'days', days: tc.days };
  if ('periods' in tc) {
    const periods = tc.periods.map(({ moves, base_s, inc_s }) => ({ moves: moves ?? null, minutes: base_s / 60, inc_s: inc_s ?? 0 }));
    return { ...draft, pick: 'custom', kind: 'periods', periods };
  }
  const kind = tc.delay_s ? 'delay' : tc.bronstein_s ? 'bronstein' : 'increment';
  const [minutes, seconds] = [tc.base_s / 60, tc.inc_s || tc.delay_s || tc.bronstein_s || 0];
  const preset = kind === 'increment' ? PRESETS.find((name) => name === `${minutes}+${seconds}`) : undefined;
  return { ...draft, pick: preset ?? 'custom', kind, minutes, seconds };
}

/** The error in the draft, as a key of the catalogue; null if there is none. */
export function faultOf(draft: TempoDraft): PlainKey | null {
  if (draft.pick === 'days') return within(draft.days, 1, LIMITS.days) ? null : 'create.fault.days';
  if (draft.pick !== 'custom') return null;
  if (draft.kind !== 'periods') return baseFault(draft.minutes, draft.seconds, draft.kind === 'increment');
  const last = draft.periods.length - 1;
  for (const [index, { moves, minutes, inc_s }] of draft.periods.entries()) {
    const counted = moves === null ? index === last : within(moves, 1, LIMITS.periodMoves);
    if (!counted) return 'create.fault.moves';
    const fault = baseFault(minutes, inc_s, true);
    if (fault !== null) return fault;
  }
  return null;
}

function baseFault(minutes: number, seconds: number, adds: boolean): PlainKey | null {
  if (!within(minutes * 60, 0, LIMITS.baseSeconds) || (minutes * 4) % 1 !== 0) return 'create.fault.base';
  if (!within(seconds, 0, LIMITS.stepSeconds)) return 'create.fault.seconds';
  return minutes === 0 && !(adds && seconds > 0) ? 'create.fault.zero' : null;
}

const within = (n: number, least: number, most: number) => Number.isInteger(n) && n >= least && n <= most;
