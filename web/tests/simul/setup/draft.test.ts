import { describe, expect, it } from 'vitest';
import { advancedOf, draftOf, faultOf, isAdvanced, localTime, mayBeRated, messageOf, names, newDraft, unchangedNames, type Draft } from '../../../src/simul/setup/draft';
import { controlOf, tempoOf } from '../../../src/time/control-draft';
import { snapshot } from '../boards';

const draft = (more: Partial<Draft> = {}): Draft => ({ ...newDraft(), name: 'Club', ...more });
const NOW = Date.UTC(2026, 10, 21);

describe('what is sent', () => {
  it('is what the usual form says', () => {
    expect(messageOf(draft())).toMatchObject({
      name: 'Club',
      tc: { base_s: 900, inc_s: 10 },
      mode: 'clock',
      variants: [{ game: 'chess', variant: 'standard' }],
      fen: null,
      guests: true,
      members: false,
      invited: null,
      late_join: null,
      start_at: null,
      min_rating: null,
      draws: 'free',
    });
  });

  it('has what belongs to a round only in a round', () => {
    expect(messageOf(draft())).not.toHaveProperty('passes');
    const round = { mode: 'round', passes: 2 } as const;
    expect(messageOf(draft({ ...round, hostTime: 'move', move_s: 20 }))).toMatchObject({ passes: 2, host_tc: { move_s: 20 } });
    expect(messageOf(draft({ ...round, hostTime: 'none' }))).toMatchObject({ host_tc: 'none' });
    expect(messageOf(draft({ ...round, hostTime: 'same' }))).toMatchObject({ host_tc: null });
    expect(messageOf(draft({ ...round, hostTime: 'own' }))).toMatchObject({ host_tc: { base_s: 3600, inc_s: 0 } });
  });

  it('takes back what belonged to a round when clocks are to run everywhere', () => {
    expect(messageOf(draft({ mode: 'clock', hostTime: 'own' }))).toMatchObject({ mode: 'clock', host_tc: null });
  });

  it('gives the host no more of a clock that he does not have', () => {
    const more = { host_extra_s: 60, host_extra_per_board_s: 5 };
    const none = { ...newDraft().tempo, pick: 'none' };
    expect(messageOf(draft(more))).toMatchObject(more);
    expect(messageOf(draft({ ...more, tempo: none }))).toMatchObject({ tc: null, host_extra_s: 0, host_extra_per_board_s: 0 });
    expect(messageOf(draft({ ...more, mode: 'round', hostTime: 'own', tempo: none }))).toMatchObject(more);
    expect(messageOf(draft({ ...more, mode: 'round', hostTime: 'move' }))).toMatchObject({ host_extra_s: 0 });
  });

  it('may be rated where a position is typed that is not played from', () => {
    const rated = { who: 'members', fen: '8/8/8/8/8/8/8/8 w - - 0 1' } as const;
    expect(mayBeRated(draft(rated))).toBe(false);
    expect(mayBeRated(draft({ ...rated, variants: ['standard', 'chess960'] }))).toBe(true);
  });

  it('tells who may come', () => {
    expect(messageOf(draft({ who: 'members' }))).toMatchObject({ guests: false, members: false, invited: null });
    expect(messageOf(draft({ who: 'people' }))).toMatchObject({ guests: false, members: true });
    expect(messageOf(draft({ who: 'invited', invited: 'Ada, Ben\nAda' }))).toMatchObject({ invited: ['Ada', 'Ben'] });
  });

  it('has a position only where one variant is offered', () => {
    expect(messageOf(draft({ fen: ' 8/8 w ' }))).toMatchObject({ fen: '8/8 w' });
    expect(messageOf(draft({ fen: '8/8 w', variants: ['standard', 'chess960'] }))).toMatchObject({ fen: null });
  });

  it('is rated only where that can be', () => {
    const rated = draft({ rated: true, who: 'members' });
    expect(mayBeRated(rated)).toBe(true);
    expect(messageOf(rated)).toMatchObject({ rated: true, guests: false });
    for (const more of [{ who: 'all' }, { fen: '8/8 w' }, { host_extra_s: 1 }, { mode: 'round' }] as const) {
      expect(messageOf({ ...rated, ...more })).toMatchObject({ rated: false });
    }
  });
});

describe('what is announced already', () => {
  it('fills the form with what would be sent again', () => {
    const simul = snapshot({
      status: 'created',
      mode: 'round',
      host_tc: { move_s: 15 },
      draws: 20,
      late_join: { move: 7 },
      tc: { base_s: 600, delay_s: 3 },
      conditions: { min_rating: 1200, max_rating: null, guests: false, members: true, invited: false },
      start_at: Date.UTC(2026, 10, 22, 18, 30),
    });
    const sent = messageOf(draftOf(simul));
    for (const name of ['name', 'tc', 'host_tc', 'draws', 'late_join', 'start_at', 'max_boards', 'variants', 'passes'] as const) {
      expect(sent[name]).toEqual(simul[name]);
    }
    expect(sent).toMatchObject({ min_rating: 1200, max_rating: null, guests: false, members: true, invited: null });
  });

  it.each([null, { base_s: 300, inc_s: 3 }, { base_s: 300, bronstein_s: 3 }, { periods: [{ base_s: 5400, moves: 40, inc_s: 0 }, { base_s: 900, inc_s: 30 }] }])(
    'knows the control %j again',
    (tc) => {
      expect(controlOf(tempoOf(tc))).toEqual(tc);
    },
  );
});

describe('what is wrong', () => {
  it('is nothing as it comes, but for the name', () => {
    expect(faultOf(draft(), NOW)).toBeNull();
    expect(faultOf(newDraft(), NOW)).toBe('simul.fault.name');
  });

  it.each<[Partial<Draft>, string]>([
    [{ variants: [] }, 'simul.fault.variants'],
    [{ max_boards: 1001 }, 'simul.fault.boards'],
    [{ max_boards: NaN }, 'simul.fault.boards'],
    [{ host_extra_s: -1 }, 'simul.fault.extra'],
    [{ mode: 'round', passes: 1.5 }, 'simul.fault.round'],
    [{ mode: 'round', hostTime: 'move', move_s: 0 }, 'simul.fault.move'],
    [{ draws: 'after', drawsAfter: 0 }, 'simul.fault.draws'],
    [{ min_rating: 1800, max_rating: 1500 }, 'create.fault.range'],
    [{ late: 'minutes', lateMinutes: 601 }, 'simul.fault.late'],
    [{ away_limit_s: 59 }, 'simul.fault.away'],
    [{ delay_s: 901 }, 'simul.fault.delay'],
    [{ start: '2020-01-01T00:00' }, 'simul.fault.start'],
  ])('is told of %j', (more, fault) => {
    expect(faultOf(draft(more), NOW)).toBe(fault);
  });

  it('is not looked for in what does not count', () => {
    expect(faultOf(draft({ passes: -1, drawsAfter: 0, lateMove: 0, move_s: 0 }), NOW)).toBeNull();
  });
});

it('names are read however they are set apart', () => {
  expect(names(' Ada; Ben,Cy\nDee  Ada ')).toEqual(['Ada', 'Ben', 'Cy', 'Dee']);
});

it('an instant is written as the field has it', () => {
  const at = new Date(2026, 2, 5, 7, 4).getTime();
  expect(localTime(at)).toBe('2026-03-05T07:04');
});

describe('an edit', () => {
  it('leaves out people whom the host has not changed: they may have other names now', () => {
    const before = draft({ who: 'invited', invited: 'Ada, Ben', stand_in: 'Guest-ABC' });
    expect(unchangedNames({ ...before, name: 'Another' }, before)).toEqual(['invited', 'stand_in']);
    expect(unchangedNames({ ...before, invited: 'Ada', stand_in: '' }, before)).toEqual([]);
    expect(unchangedNames({ ...before, who: 'all' }, before)).toEqual(['stand_in']);
    // A delay takes the stand-in away.
    expect(unchangedNames({ ...before, delay_s: 60 }, before)).toEqual(['invited']);
  });
});

describe('what is under “Advanced”', () => {
  it('is empty in a new form, whatever the first fields say', () => {
    expect(advancedOf(draft({ mode: 'round', hostTime: 'none', variants: ['chess960'], host_color: 'w', max_boards: 20, auto_accept: true }))).toEqual([]);
    expect(advancedOf(draft({ who: 'members', rated: true }))).toEqual(['rated', 'who']);
  });

  it('is opened for an error in it', () => {
    const where = (more: Partial<Draft>) => isAdvanced(faultOf(draft(more), NOW)!);
    expect(where({ min_rating: 2000, max_rating: 1000 })).toBe(true);
    expect(where({ start: '2000-01-01T00:00' })).toBe(true);
    expect(where({ name: '' })).toBe(false);
    expect(where({ max_boards: 0 })).toBe(false);
    expect(where({ variants: [] })).toBe(false);
    expect(where({ tempo: { ...newDraft().tempo, pick: 'custom', minutes: Number.NaN } })).toBe(false);
  });
});
