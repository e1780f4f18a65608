/**
 * Choices of the form of a new game. Time and variant are kept in the browser's storage: everybody sees them at once, and
 * a colour or a rated game that was chosen long ago would surprise.
 *
 * Stored values are not trusted: an older page or a person wrote them. Invalid parts are dropped, and so is a control
 * that cannot be requested.
 */

import type { KeyValueStorage } from '../../browser/storage';
import { CONTROL_KINDS, faultOf, MOST_PERIODS, newTempo, PICKS, type PeriodDraft, type TempoDraft } from '../../time/control-draft';
import { DEFAULT_VARIANT } from '../../variants/registry';

export const COLORS = ['random', 'w', 'b'] as const;

/** Ratings as typed; empty for any. */
export interface Range {
  min: string;
  max: string;
}

export interface Choices {
  tempo: TempoDraft;
  variant: string;
  color: string;
  rated: boolean;
  rules: string;
  /** Delay for the public. */
  later: string;
  range: Range;
}

const NAME = 'create';

/** `variants`: the valid ones. */
export function remembered(storage: Pick<KeyValueStorage, 'getItem' | 'setItem'> | null, variants: readonly string[]): Choices {
  const found = stored(storage);
  return {
    tempo: tempoFrom(found.tempo),
    variant: variants.find((variant) => variant === found.variant) ?? DEFAULT_VARIANT,
    color: 'random',
    rated: true,
    rules: 'online',
    later: 'none',
    range: { min: '', max: '' },
  };
}

export function remember(storage: Pick<KeyValueStorage, 'getItem' | 'setItem'> | null, { tempo, variant }: Choices): void {
  try {
    storage?.setItem(NAME, JSON.stringify({ tempo, variant }));
  } catch {
    // The storage is full: the next form has the defaults.
  }
}

function stored(storage: Pick<KeyValueStorage, 'getItem' | 'setItem'> | null): Record<string, unknown> {
  try {
    return map(JSON.parse(storage?.getItem(NAME) ?? '{}'));
  } catch {
    return {};
  }
}

const map = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function tempoFrom(value: unknown): TempoDraft {
  const found = map(value);
  const initial = newTempo();
  const tempo: TempoDraft = {
    pick: PICKS.find((pick) => pick === found.pick) ?? initial.pick,
    kind: CONTROL_KINDS.find((kind) => kind === found.kind) ?? initial.kind,
    minutes: number(found.minutes) ?? initial.minutes,
    seconds: number(found.seconds) ?? initial.seconds,
    days: number(found.days) ?? initial.days,
    periods: periodsFrom(found.periods) ?? initial.periods,
  };
  return faultOf(tempo) === null ? tempo : initial;
}

function periodsFrom(value: unknown): PeriodDraft[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_PERIODS) return null;
  const periods: PeriodDraft[] = [];
  for (const item of value) {
    const { moves, minutes, inc_s } = map(item);
    const [counted, base, inc] = [moves === null ? null : number(moves), number(minutes), number(inc_s)];
    if (counted === undefined || base === undefined || inc === undefined) return null;
    periods.push({ moves: counted, minutes: base, inc_s: inc });
  }
  return periods;
}

/** An emptied field is NaN, which JSON writes as null. */
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
