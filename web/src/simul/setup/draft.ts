/** The form of a simul: its values, message and validation. Pure. */

import type { DrawRule, HostColor, LateJoin, OfferedVariant, Outgoing, SimulMode, SimulSnapshot, TimeControl } from '../../net/protocol';
import { controlOf, faultOf as tempoFault, newTempo, tempoOf, type TempoDraft } from '../../time/control-draft';
import { DEFAULT_VARIANT, gameOf } from '../../variants/registry';
import type { PlainKey } from '../../words/words';

export const HOST_TIMES = ['same', 'own', 'move', 'none'] as const;
export type HostTime = (typeof HOST_TIMES)[number];

export interface Draft {
  name: string;
  text: string;
  mode: SimulMode;
  tempo: TempoDraft;
  hostTime: HostTime;
  hostTempo: TempoDraft;
  move_s: number;
  variants: string[];
  host_color: HostColor;
  rated: boolean;
  fen: string;
  max_boards: number;
  host_extra_s: number;
  host_extra_per_board_s: number;
  countdown_s: number;
  passes: number;
  auto_next: boolean;
  draws: 'free' | 'none' | 'after';
  drawsAfter: number;
  /** NaN for none. */
  min_rating: number;
  max_rating: number;
  who: 'all' | 'members' | 'people' | 'invited';
  invited: string;
  auto_accept: boolean;
  late: 'none' | 'move' | 'minutes';
  lateMove: number;
  lateMinutes: number;
  away_limit_s: number;
  delay_s: number;
  /** A name; empty for none. */
  stand_in: string;
  /** The value of `<input type="datetime-local">`, in local time; empty if the host starts by hand. */
  start: string;
}

export const newDraft = (): Draft => ({
  name: '',
  text: '',
  mode: 'clock',
  tempo: { ...newTempo(), pick: '15+10' },
  hostTime: 'own',
  hostTempo: { ...newTempo(), pick: 'custom', minutes: 60, seconds: 0 },
  move_s: 30,
  variants: [DEFAULT_VARIANT],
  host_color: 'alternating',
  rated: false,
  fen: '',
  max_boards: 100,
  host_extra_s: 0,
  host_extra_per_board_s: 0,
  countdown_s: 10,
  passes: 3,
  auto_next: true,
  draws: 'free',
  drawsAfter: 20,
  min_rating: NaN,
  max_rating: NaN,
  who: 'all',
  invited: '',
  auto_accept: false,
  late: 'none',
  lateMove: 10,
  lateMinutes: 15,
  away_limit_s: 600,
  delay_s: 0,
  stand_in: '',
  start: '',
});

/** The draft of an announced simul, to edit it. */
export function draftOf(simul: SimulSnapshot): Draft {
  const { draws, late_join: late, conditions } = simul;
  const fresh = newDraft();
  const hostTime = hostTimeOf(simul);
  return {
    ...fresh,
    name: simul.name,
    text: simul.text,
    mode: simul.mode,
    tempo: tempoOf(simul.tc),
    hostTime,
    hostTempo: hostTime === 'own' ? tempoOf(simul.host_tc as TimeControl) : fresh.hostTempo,
    move_s: simul.host_tc !== null && typeof simul.host_tc === 'object' && 'move_s' in simul.host_tc ? simul.host_tc.move_s : 30,
    variants: simul.variants.map(({ variant }) => variant),
    host_color: simul.host_color,
    rated: simul.rated,
    fen: simul.fen ?? '',
    max_boards: simul.max_boards,
    host_extra_s: simul.host_extra_s,
    host_extra_per_board_s: simul.host_extra_per_board_s,
    countdown_s: simul.countdown_s,
    passes: simul.passes,
    auto_next: simul.auto_next,
    draws: typeof draws === 'number' ? 'after' : draws,
    drawsAfter: typeof draws === 'number' ? draws : fresh.drawsAfter,
    min_rating: conditions.min_rating ?? NaN,
    max_rating: conditions.max_rating ?? NaN,
    who: conditions.invited ? 'invited' : conditions.members ? 'people' : conditions.guests ? 'all' : 'members',
    invited: (simul.invited ?? []).map(({ name }) => name).join(', '),
    auto_accept: simul.auto_accept,
    late: late === null ? 'none' : 'move' in late ? 'move' : 'minutes',
    lateMove: late !== null && 'move' in late ? late.move : fresh.lateMove,
    lateMinutes: late !== null && 'minutes' in late ? late.minutes : fresh.lateMinutes,
    away_limit_s: simul.away_limit_s,
    delay_s: simul.delay_s,
    stand_in: simul.stand_in?.name ?? '',
    start: simul.start_at === null ? '' : localTime(simul.start_at),
  };
}

function hostTimeOf({ host_tc }: SimulSnapshot): HostTime {
  if (host_tc === null) return 'same';
  if (host_tc === 'none') return 'none';
  return 'move_s' in host_tc ? 'move' : 'own';
}

/** What `simul.edit` leaves out of `messageOf` while the host has not changed it: the people may have other names now. */
export function unchangedNames(draft: Draft, before: Draft): ('invited' | 'stand_in')[] {
  const sameInvited = draft.who === 'invited' && before.who === 'invited' && draft.invited === before.invited;
  const sameStandIn = draft.stand_in === before.stand_in && mayHaveStandIn(draft);
  return [...(sameInvited ? (['invited'] as const) : []), ...(sameStandIn ? (['stand_in'] as const) : [])];
}

/** The fields of `simul.create` and `simul.edit`. */
export function messageOf(draft: Draft): Omit<Outgoing, 't'> {
  const round = draft.mode === 'round';
  const fen = fenOf(draft);
  const extra = hasClock(draft);
  const shared = {
    name: draft.name.trim(),
    text: draft.text.trim(),
    tc: controlOf(draft.tempo),
    mode: draft.mode,
    variants: draft.variants.map((variant): OfferedVariant => ({ game: gameOf(variant).game, variant })),
    host_color: draft.host_color,
    rated: draft.rated && mayBeRated(draft),
    fen: fen === '' ? null : fen,
    max_boards: draft.max_boards,
    host_extra_s: extra ? draft.host_extra_s : 0,
    host_extra_per_board_s: extra ? draft.host_extra_per_board_s : 0,
    draws: (draft.draws === 'after' ? draft.drawsAfter : draft.draws) satisfies DrawRule,
    min_rating: optional(draft.min_rating),
    max_rating: optional(draft.max_rating),
    guests: draft.who === 'all' || (draft.who === 'invited' && !draft.rated),
    members: draft.who === 'people',
    invited: draft.who === 'invited' ? names(draft.invited) : null,
    auto_accept: draft.auto_accept,
    late_join: lateOf(draft),
    away_limit_s: draft.away_limit_s,
    delay_s: draft.delay_s,
    stand_in: mayHaveStandIn(draft) ? draft.stand_in.trim() || null : null,
    start_at: draft.start === '' ? null : new Date(draft.start).getTime(),
  };
  // When editing, a missing field keeps its value.
  if (!round) return { ...shared, host_tc: null };
  const { countdown_s, passes, auto_next } = draft;
  return { ...shared, countdown_s, passes, auto_next, host_tc: hostControl(draft) };
}

function hostControl({ hostTime, hostTempo, move_s }: Draft): TimeControl | { move_s: number } | 'none' | null {
  if (hostTime === 'same') return null;
  if (hostTime === 'none') return 'none';
  return hostTime === 'move' ? { move_s } : controlOf(hostTempo);
}

/** Only with a single variant. */
const fenOf = ({ variants, fen }: Draft): string => (variants.length === 1 ? fen.trim() : '');

/** Whether the host has a clock that time can be added to. */
function hasClock({ mode, hostTime, tempo }: Draft): boolean {
  if (mode === 'round' && hostTime !== 'same') return hostTime === 'own';
  return tempo.pick !== 'none';
}

function lateOf({ late, lateMove, lateMinutes }: Draft): LateJoin {
  if (late === 'none') return null;
  return late === 'move' ? { move: lateMove } : { minutes: lateMinutes };
}

const optional = (n: number): number | null => (Number.isNaN(n) ? null : n);

/** Names, typed or pasted, with any separators. */
export const names = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

/** Whether the games may be rated. */
export function mayBeRated(draft: Draft): boolean {
  const even = draft.host_extra_s === 0 && draft.host_extra_per_board_s === 0 && (draft.mode === 'clock' || draft.hostTime === 'same');
  return even && fenOf(draft) === '' && draft.who !== 'all' && draft.tempo.pick !== 'none';
}

/** Whether a stand-in may be named: not in rated games, nor with a delay. */
export const mayHaveStandIn = (draft: Draft): boolean => !(draft.rated && mayBeRated(draft)) && draft.delay_s === 0;

/** The first error, as a key of the catalogue; null if there is none. `now`: Unix milliseconds. */
export function faultOf(draft: Draft, now: number): PlainKey | null {
  const whole = (n: number, least: number, most: number) => Number.isInteger(n) && n >= least && n <= most;
  const round = draft.mode === 'round';
  const { min_rating: from, max_rating: to } = draft;
  const ratings = [from, to].every((n) => Number.isNaN(n) || whole(n, 0, 4000)) && !(from > to);
  const checks: readonly [boolean, PlainKey][] = [
    [draft.name.trim() !== '', 'simul.fault.name'],
    [draft.variants.length > 0, 'simul.fault.variants'],
    [draft.tempo.pick !== 'days', 'simul.fault.days'],
    [whole(draft.max_boards, 1, 1000), 'simul.fault.boards'],
    [whole(draft.host_extra_s, 0, 36_000) && whole(draft.host_extra_per_board_s, 0, 3600), 'simul.fault.extra'],
    [!round || (whole(draft.countdown_s, 1, 300) && whole(draft.passes, 0, 100)), 'simul.fault.round'],
    [!round || draft.hostTime !== 'move' || whole(draft.move_s, 1, 3600), 'simul.fault.move'],
    [draft.draws !== 'after' || whole(draft.drawsAfter, 1, 200), 'simul.fault.draws'],
    [ratings, 'create.fault.range'],
    [draft.late !== 'move' || whole(draft.lateMove, 1, 200), 'simul.fault.late'],
    [draft.late !== 'minutes' || whole(draft.lateMinutes, 1, 600), 'simul.fault.late'],
    [whole(draft.away_limit_s, 60, 7200), 'simul.fault.away'],
    [whole(draft.delay_s, 0, 900), 'simul.fault.delay'],
    [draft.who !== 'invited' || names(draft.invited).length <= 1000, 'simul.fault.invited'],
    [draft.start === '' || new Date(draft.start).getTime() > now, 'simul.fault.start'],
  ];
  const own = round && draft.hostTime === 'own' ? tempoFault(draft.hostTempo) : null;
  return tempoFault(draft.tempo) ?? own ?? checks.find(([holds]) => !holds)?.[1] ?? null;
}

/** `2026-03-05T17:40`, in local time. */
export function localTime(at: number): string {
  const when = new Date(at);
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${when.getFullYear()}-${two(when.getMonth() + 1)}-${two(when.getDate())}`;
  return `${day}T${two(when.getHours())}:${two(when.getMinutes())}`;
}

/** The fields that the form shows at once; the others are under “Advanced”. */
const FIRST: readonly (keyof Draft)[] = ['name', 'mode', 'tempo', 'hostTime', 'hostTempo', 'move_s', 'variants', 'host_color', 'max_boards', 'auto_accept'];

/** Errors in those. */
const FIRST_FAULTS: readonly string[] = ['simul.fault.name', 'simul.fault.variants', 'simul.fault.days', 'simul.fault.move', 'simul.fault.boards'];

/** Whether an error of `faultOf` is in a field under “Advanced”. */
export const isAdvanced = (fault: PlainKey): boolean =>
  fault === 'create.fault.range' || (fault.startsWith('simul.fault.') && !FIRST_FAULTS.includes(fault));

/** The fields under “Advanced” that are not as in a new form. */
export function advancedOf(draft: Draft): (keyof Draft)[] {
  const fresh = newDraft();
  const isSet = (name: keyof Draft) => !Object.is(draft[name], fresh[name]);
  return (Object.keys(fresh) as (keyof Draft)[]).filter((name) => !FIRST.includes(name) && isSet(name));
}
