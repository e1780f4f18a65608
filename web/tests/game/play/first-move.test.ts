import { describe, expect, it } from 'vitest';
import { firstMoveLeft_ms } from '../../../src/game/play/first-move';
import { endOf } from '../../../src/state/result-text';
import { GameStore } from '../../../src/state/game-store';
import { SNAPSHOT } from '../../state/snapshot';

const clock = { ...SNAPSHOT.clock!, first_move_by: 20_000 };

describe('the time for a first move', () => {
  it('runs until both have moved', () => {
    expect(firstMoveLeft_ms({ ...SNAPSHOT, clock }, 6_000)).toBe(14_000);
    expect(firstMoveLeft_ms({ ...SNAPSHOT, clock, status: 'live' }, 6_000)).toBeNull();
    expect(firstMoveLeft_ms(SNAPSHOT, 6_000)).toBeNull();
  });

  it('is not shown when it is over, or days away', () => {
    expect(firstMoveLeft_ms({ ...SNAPSHOT, clock }, 20_000)).toBeNull();
    expect(firstMoveLeft_ms({ ...SNAPSHOT, clock: { ...clock, first_move_by: 86_400_000 } }, 0)).toBeNull();
  });

  it('is not known while the server holds the clocks, and is what it says then', () => {
    const store = new GameStore();
    store.take({ ...SNAPSHOT, clock });
    store.take({ t: 'hold', g: 'abc', why: 'storage' });
    expect(firstMoveLeft_ms(store.game!, 6_000)).toBeNull();
    store.take({ t: 'clock', g: 'abc', seq: 1, why: 'resumed', by: null, clock: { ...clock, at: 30_000, first_move_by: 50_000 } });
    expect(firstMoveLeft_ms(store.game!, 31_000)).toBe(19_000);
    store.take({ t: 'tick', g: 'abc', clock: { ...clock, at: 40_000, first_move_by: 60_000 } });
    expect(firstMoveLeft_ms(store.game!, 41_000)).toBe(19_000);
  });

  it('is named as the reason of the end', () => {
    const store = new GameStore();
    store.take({ ...SNAPSHOT, clock });
    store.take({ t: 'end', g: 'abc', seq: 1, result: '*', reason: 'aborted', clock, ratings: null, no_show: true });
    expect(endOf(store.game!)).toBe('aborted: White did not move in time');
    expect(endOf({ reason: 'aborted' })).toBe('aborted');
  });
});
