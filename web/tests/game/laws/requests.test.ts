import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { App } from '../../../src/app';
import { Buttons } from '../../../src/game/laws/buttons';
import { Requests } from '../../../src/game/laws/requests';
import type { GameParts } from '../../../src/game/view/layout';
import type { Color, GameSnapshot, Outgoing } from '../../../src/net/protocol';
import type { GameStore } from '../../../src/state/game-store';
import { handlers } from '../../ui/template-text';
import { byLaws, KNIGHT } from './laws-snapshot';

/** White has made a move; Black is to move after it. */
const MADE = byLaws({ made: KNIGHT });
const NEXT = byLaws({}, { turn: 'b', moves: [...MADE.moves, 'g1f3'] });

describe('the clock', () => {
  let own: Color[];
  let game: GameSnapshot;
  let isOver: boolean;
  let requests: Requests;
  let sent: Outgoing[];
  let answer: () => void;
  let key: (event: object) => void;
  const store = { get game() { return game; } } as unknown as GameStore;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('Element', Object);
    vi.stubGlobal('HTMLInputElement', Date);
    vi.stubGlobal('document', {
      addEventListener: (_: string, listener: typeof key) => (key = listener),
      querySelector: () => (isOver ? {} : null),
    });
    [own, game, isOver, sent] = [['w'], MADE, false, []];
    const change = (message: Outgoing) => {
      sent.push(message);
      return new Promise<void>((resolve) => (answer = resolve));
    };
    const seat = { side: () => (own.length === 1 ? own[0] : null), isShared: () => own.length === 2, socketOf: () => ({ change, time: { lag: () => null } }) };
    const app = { changed: () => undefined, attempt: (what: () => unknown) => what() } as unknown as App;
    requests = new Requests(app, 'g1', store, { seat, mover: { pending: { sent: null } } } as unknown as GameParts);
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const space = (on: string | null = null) => key({ key: ' ', target: { closest: () => on }, preventDefault: () => undefined });

  it('is pressed by the space bar once a move is made, and not under an open list', () => {
    game = byLaws();
    space();
    game = byLaws({ made: { ...KNIGHT, move: 'a7a8', position: 'P7/8/8/8/8/8/8/K6k b - - 0 1' } });
    space();
    game = MADE;
    isOver = true;
    space();
    expect(sent).toEqual([]);
    isOver = false;
    space('button');
    expect(sent).toEqual([]);
    space();
    expect(sent).toMatchObject([{ t: 'press', move: 'g1f3' }]);
  });

  it('is not pressed by the space bar of two players at one device', () => {
    own = ['w', 'b'];
    space();
    expect(sent).toEqual([]);
  });

  it('is not pressed again without a move by a press that was meant for the move taken back', async () => {
    void requests.press('w');
    answer();
    await vi.advanceTimersByTimeAsync(0);
    game = byLaws();
    requests.ruled();
    void requests.press('w');
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(500);
    void requests.press('w');
    expect(sent).toMatchObject([{ move: 'g1f3' }, { t: 'press' }]);
  });

  it('waits for the answer to each player’s own press only', async () => {
    own = ['w', 'b'];
    void requests.press('w');
    void requests.press('w');
    expect([sent.length, requests.isPressing('w'), requests.isPressing('b')]).toEqual([1, true, false]);
    const late = answer;
    // The line of White is lost, and Black's has told of the move.
    game = NEXT;
    void requests.press('b');
    expect([sent.length, requests.isPressing('b')]).toEqual([2, true]);
    late();
    await vi.advanceTimersByTimeAsync(0);
    expect(requests.isPressing('b')).toBe(true);
  });

  it('has a button that a double click presses once, and that no stray space bar presses', () => {
    const buttons = new Buttons({} as App, {} as GameParts, requests);
    const drawn = () => buttons.press(game, 'w', 'press');
    handlers(drawn(), 'click')[0]!({ detail: 2 } as MouseEvent);
    expect(sent).toEqual([]);
    const stopped = (event: object): boolean => {
      const preventDefault = vi.fn();
      handlers(drawn(), 'keydown')[0]!({ ...event, preventDefault } as unknown as KeyboardEvent);
      return preventDefault.mock.calls.length > 0;
    };
    expect([stopped({ key: ' ' }), stopped({ key: 'Enter' }), stopped({ key: 'Enter', repeat: true })]).toEqual([false, false, true]);
    game = byLaws();
    expect([stopped({ key: ' ' }), stopped({ key: 'Enter' })]).toEqual([true, false]);
    game = MADE;
    handlers(drawn(), 'click')[0]!({ detail: 1 } as MouseEvent);
    expect(sent).toHaveLength(1);
    // Not `disabled`, which would drop the focus.
    expect(drawn().strings.join('')).not.toContain('?disabled');
  });
});
