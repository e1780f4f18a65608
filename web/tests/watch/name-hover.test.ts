import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NameHover } from '../../src/watch/name-hover';

const made: FakePreview[] = [];

class FakePreview {
  closed = false;
  constructor(
    _app: unknown,
    readonly name: unknown,
    readonly person: string,
    readonly g: string,
    readonly gone: () => void,
  ) {
    made.push(this);
  }
  contains(target: unknown): boolean {
    return target === BOARD;
  }
  close(): void {
    this.closed = true;
  }
}

vi.mock('../../src/watch/game-preview', () => ({ GamePreview: class extends FakePreview {} }));

class FakeElement {
  focused = false;
  constructor(readonly pathname = '') {}
  closest(): FakeElement | null {
    return this.pathname ? this : null;
  }
  matches(selector: string): boolean {
    return selector === ':focus-visible' ? this.focused : this.pathname !== '';
  }
}

const BOARD = new FakeElement();
const ELSEWHERE = new FakeElement();

describe('NameHover', () => {
  let listeners: Map<string, (event: object) => void>;
  let playing: string | null;
  let asked: string[];
  let followed: string[];

  const fire = (type: string, event: object) => listeners.get(type)!(event);
  const over = (target: FakeElement, pointerType = 'mouse') => fire('pointerover', { target, pointerType });
  const rest = (ms = 400) => vi.advanceTimersByTimeAsync(ms);
  const shown = () => made.filter(({ closed }) => !closed).map(({ g }) => g);

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('Element', FakeElement);
    vi.stubGlobal('HTMLElement', FakeElement);
    made.length = 0;
    asked = [];
    followed = [];
    playing = 'g1';
    vi.stubGlobal('fetch', (address: string) => {
      asked.push(address);
      return Promise.resolve(new Response(JSON.stringify({ online: true, playing })));
    });
    listeners = new Map();
    const root = { documentElement: ELSEWHERE, addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener) };
    const socket = { user: { name: 'Me' }, isSubscribed: (topic: string) => followed.includes(topic) };
    new NameHover({ socket, settings: {} } as never, root as never);
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('shows the game when the mouse rests on a name, and not on its way', async () => {
    const anna = new FakeElement('/user/Anna%20B');
    over(anna);
    await rest(200);
    over(ELSEWHERE);
    await rest();
    expect(asked).toEqual([]);
    over(anna);
    await rest();
    expect(asked).toEqual(['/api/v1/users/Anna%20B/status']);
    expect(shown()).toEqual(['g1']);
    expect(made[0]!.person).toBe('Anna B');
  });

  it('stays while the mouse goes to the board, and goes when it leaves', async () => {
    over(new FakeElement('/user/Anna'));
    await rest();
    over(ELSEWHERE);
    await rest(100);
    over(BOARD);
    await rest(1_000);
    expect(shown()).toEqual(['g1']);
    over(ELSEWHERE);
    await rest();
    expect(shown()).toEqual([]);
  });

  it('goes when the mouse leaves the window', async () => {
    over(new FakeElement('/user/Anna'));
    await rest();
    fire('pointerout', { relatedTarget: ELSEWHERE });
    await rest();
    expect(shown()).toEqual(['g1']);
    fire('pointerout', { relatedTarget: null });
    await rest();
    expect(shown()).toEqual([]);
  });

  it('shows nothing on touch, for oneself, or for somebody who does not play', async () => {
    over(new FakeElement('/user/Anna'), 'touch');
    await rest();
    over(new FakeElement('/user/me'));
    await rest();
    expect(asked).toEqual([]);
    playing = null;
    over(new FakeElement('/user/Anna'));
    await rest();
    expect(asked).toHaveLength(1);
    expect(made).toEqual([]);
  });

  it('shows no game that the page follows', async () => {
    followed = ['game:g1'];
    over(new FakeElement('/user/Anna'));
    await rest();
    expect(made).toEqual([]);
  });

  it('opens with the keyboard focus, and closes with Escape or when the focus leaves', async () => {
    const anna = new FakeElement('/user/Anna');
    fire('focusin', { target: anna });
    await rest();
    expect(asked).toEqual([]); // by a click
    anna.focused = true;
    for (const [type, event] of [
      ['keydown', { key: 'Escape' }],
      ['focusout', {}],
    ] as const) {
      fire('focusin', { target: anna });
      await rest();
      expect(shown()).toEqual(['g1']);
      // A press on the board takes the focus there.
      fire('focusout', { relatedTarget: BOARD });
      expect(shown()).toEqual(['g1']);
      fire(type, event);
      expect(shown()).toEqual([]);
    }
  });

  it('ignores an answer that comes too late', async () => {
    over(new FakeElement('/user/Anna'));
    vi.advanceTimersByTime(300);
    fire('click', {});
    await rest();
    expect(made).toEqual([]);
  });

  it('closes when the page drops the name', async () => {
    over(new FakeElement('/user/Anna'));
    await rest();
    made[0]!.gone();
    expect(shown()).toEqual([]);
  });

  it('says nothing without a connection', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    over(new FakeElement('/user/Anna'));
    await rest();
    expect(made).toEqual([]);
  });
});
