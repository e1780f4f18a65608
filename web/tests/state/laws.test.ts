import { beforeEach, describe, expect, it } from 'vitest';
import type { GameMessage, GameSnapshot, Legal } from '../../src/net/protocol';
import { GameStore } from '../../src/state/game-store';
import { byLaws, KNIGHT, type Laws } from '../game/laws/laws-snapshot';

const FEN = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2';

describe('a game by the Laws', () => {
  let store: GameStore;
  let seq: number;

  const begin = (change: Partial<Laws> = {}, game: Partial<GameSnapshot> = {}) => {
    store = new GameStore();
    store.take(byLaws(change, game));
    seq = store.game!.seq;
  };
  const take = (event: object) => store.take({ g: 'abc', seq: ++seq, ...event } as GameMessage);
  const laws = () => store.game!.laws!;
  const made = (more: object = {}) => take({ t: 'made', ply: 2, by: 'w', ...KNIGHT, draw: undefined, touched: ['g1'], ...more });
  const moved = () => take({ t: 'move', ply: 2, by: 'w', move: 'g1f3', san: 'Nf3', position: FEN, check: false, clock: null });

  beforeEach(() => begin());

  it('shows the position after a last move that may be claimed', () => {
    begin({ positions: [[1, FEN]] }, { position: FEN });
    expect(laws().positions).toEqual([[1, FEN], [2, FEN]]);
    begin({ positions: [[2, FEN]] }, { position: FEN });
    expect(laws().positions).toEqual([[2, FEN]]);
  });

  it('keeps what is touched until a move is completed', () => {
    take({ t: 'touch', by: 'w', square: 'g1' });
    take({ t: 'touch', by: 'w', square: 'b1' });
    expect(laws().touched).toEqual(['g1', 'b1']);
    moved();
    expect(laws().touched).toEqual([]);
  });

  it('shows the made move beside the completed ones', () => {
    made();
    expect(laws()).toMatchObject({ made: KNIGHT, touched: ['g1'], adjusting: false });
    expect(store.game).toMatchObject({ moves: ['e2e4', 'e7e5'], turn: 'w', position: byLaws().position });
    moved();
    expect(laws().made).toBeNull();
    expect(store.game).toMatchObject({ turn: 'b', position: FEN });
  });

  it('offers a draw with the made move', () => {
    made({ draw: true });
    expect(store.game!.offers.draw).toBe('w');
    moved();
    expect(store.game!.offers.draw).toBe('w');
  });

  it('declines an open offer by touching or making a move', () => {
    for (const event of [{ t: 'touch', by: 'w', square: 'g1' }, { t: 'made', ply: 2, by: 'w', ...KNIGHT, draw: false, touched: [] }]) {
      begin({}, { offers: { draw: 'b', takeback: null, rematch: null } });
      take(event);
      expect(store.game!.offers.draw).toBeNull();
    }
  });

  it('takes what was made back with a ruling, which counts', () => {
    made();
    const clock = { w: 1, b: 2, run: 'w', at: 0 };
    take({ t: 'ruling', by: 'w', what: 'illegal_move', move: 'g1f3', times: 2, given_ms: 120_000, touched: ['g1'], clock });
    expect(laws()).toMatchObject({ made: null, touched: ['g1'], illegal: { w: 2, b: 0 } });
    expect(store.game).toMatchObject({ turn: 'w', clock });
  });

  it('has positions for moves that cannot be replayed, and none for those taken back', () => {
    begin({ rulings: 'by_claim' });
    const before = [2, byLaws().position];
    moved();
    expect(laws()).toMatchObject({ positions: [before, [3, FEN]], may_claim: true });
    take({ t: 'takeback', plies: 1, position: byLaws().position, clock: null });
    expect(laws()).toMatchObject({ positions: [before], may_claim: false });
  });

  it('may claim a move by the US rules until a piece is touched', () => {
    for (const [rules, may_claim] of [['fide', true], ['uscf', false]] as const) {
      begin({ rulings: 'by_claim', may_claim: true }, { rules });
      take({ t: 'touch', by: 'w', square: 'g1' });
      expect(laws().may_claim).toBe(may_claim);
    }
  });

  it('may still claim a move after pressing the clock without one', () => {
    begin({ rulings: 'by_claim', may_claim: true });
    take({ t: 'ruling', by: 'w', what: 'no_move', move: null, times: 1, given_ms: 120_000, touched: [], clock: null });
    expect(laws().may_claim).toBe(true);
  });

  it('knows who adjusts and who has come', () => {
    begin({ seated: { w: false, b: true } });
    take({ t: 'seated', by: 'w' });
    take({ t: 'signal', by: 'w', on: true });
    expect(laws()).toMatchObject({ seated: { w: true, b: true }, adjusting: true });
  });

  it('keeps the sheets as they are written and corrected, and who has signed', () => {
    begin({ sheets: { w: [], b: [] } });
    take({ t: 'written', by: 'w', ply: 0, text: 'e5', right: false });
    take({ t: 'written', by: 'w', ply: 1, text: 'e5', right: true });
    take({ t: 'written', by: 'w', ply: 0, text: 'e4', right: true });
    take({ t: 'signed', by: 'b' });
    expect(laws().sheets).toEqual({ w: [{ text: 'e4', right: true }, { text: 'e5', right: true }], b: [] });
    expect(laws().signed).toEqual({ w: false, b: true });
  });

  it('is told what touch-move leaves with the legal moves', () => {
    take({ t: 'touch', by: 'w', square: 'g1' });
    store.take({ t: 'legal', g: 'abc', ply: 2, legal: ['g1f3', 'd2d4'], bound: ['g1f3'] });
    expect(laws().bound).toEqual(['g1f3']);
  });

  describe('with the legal moves of the second player, on another connection', () => {
    const legal = (ply: number, moves: string[], bound: string[] | null = null): Legal => ({ t: 'legal', g: 'abc', ply, legal: moves, bound });
    const touch = () => take({ t: 'touch', by: 'w', square: 'g1' });

    it('waits for the move they follow', () => {
      store.takeLegal(legal(3, ['b8c6']), seq + 1);
      expect(store.moves()).toBeNull();
      moved();
      expect(store.moves()).toEqual(['b8c6']);
    });

    it('waits for the touch they follow', () => {
      store.takeLegal(legal(2, ['g1f3', 'd2d4'], ['g1f3']), seq + 1);
      expect(laws().bound).toBeNull();
      touch();
      expect(laws().bound).toEqual(['g1f3']);
    });

    it('ignores those from before a touch or a move', () => {
      const before = seq;
      touch();
      store.takeLegal(legal(2, ['g1f3', 'd2d4'], ['g1f3']), seq);
      store.takeLegal(legal(2, ['g1f3', 'd2d4']), before);
      expect(laws().bound).toEqual(['g1f3']);
      moved();
      store.takeLegal(legal(3, ['b8c6']), seq);
      store.takeLegal(legal(2, ['d2d4'], ['d2d4']), before);
      expect(store.moves()).toEqual(['b8c6']);
      expect(laws().bound).toBeNull();
    });

    it('takes those of a connection that has not told the last signal yet', () => {
      const before = seq;
      take({ t: 'signal', by: 'w', on: true });
      store.takeLegal(legal(2, ['d2d4']), before);
      expect(store.moves()).toEqual(['d2d4']);
    });

    it('keeps them when the first player gets the same snapshot again', () => {
      store.takeLegal(legal(2, ['g1f3', 'd2d4'], ['g1f3']), seq);
      store.take({ ...byLaws(), seq });
      expect(store.moves()).toEqual(['g1f3', 'd2d4']);
      expect(laws().bound).toEqual(['g1f3']);
      store.take({ ...byLaws(), seq: seq + 1 });
      expect(store.moves()).toBeNull();
      expect(laws().bound).toBeNull();
    });
  });

  it('awaits what touch-move leaves after each touch', () => {
    store.take({ t: 'legal', g: 'abc', ply: 2, legal: ['g1f3', 'd2d4'], bound: null });
    expect(store.awaitsLegal()).toBe(false);
    take({ t: 'touch', by: 'w', square: 'g1' });
    expect(store.awaitsLegal()).toBe(true);
    store.take({ t: 'legal', g: 'abc', ply: 2, legal: ['g1f3', 'd2d4'], bound: ['g1f3'] });
    expect(store.awaitsLegal()).toBe(false);
  });

  it('counts events of other games as they were', () => {
    const { laws: _, ...plain } = byLaws();
    store.take(plain);
    take({ t: 'touch', by: 'w', square: 'g1' });
    expect(store.game).toEqual({ ...plain, seq });
  });
});
