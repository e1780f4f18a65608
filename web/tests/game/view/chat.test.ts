import { afterEach, describe, expect, it, vi } from 'vitest';
import { Chat } from '../../../src/game/view/chat';
import { provisionalGame } from '../../../src/simul/state/provisional-game';
import { say } from '../../../src/words/words';
import { board, snapshot } from '../../simul/boards';
import type { GameMessage } from '../../../src/net/protocol';
import { text } from '../../ui/template-text';

const SPECTATORS = say('chat.spectators');
const game = { ...provisionalGame(snapshot(), board(1)), you: 'w' as const };
const drawnFor = (id: string | null) => text(new Chat({ socket: { user: id === null ? null : { id } } } as never, 'game:g1').draw(game), true);

describe('the room of the chat', () => {
  it('is that of the players for the two, also before it is known who the person is', () => {
    for (const id of ['host', 'p1', null]) expect(drawnFor(id)).not.toContain(SPECTATORS);
  });

  it('is that of the spectators for a stand-in, who plays for one of them', () => {
    expect(drawnFor('deputy')).toContain(SPECTATORS);
  });
});

describe('the number of unread lines', () => {
  afterEach(() => vi.unstubAllGlobals());

  const user = (id: string) => ({ id, name: id, kind: 'guest' as const, title: null });
  const line = (id: string, at: number) => ({ user: user(id), text: 'Hello!', at });
  const said = (id: string, at: number) => ({ t: 'chat', topic: 'game:g1', room: 'players', ...line(id, at) }) as unknown as GameMessage;
  const all = (...lines: object[]) => ({ t: 'chat.lines', topic: 'game:g1', room: 'players', lines }) as unknown as GameMessage;

  function opened() {
    let report = (_: { intersectionRatio: number }[]) => {};
    const page = { hidden: false, addEventListener: vi.fn(), removeEventListener: vi.fn() };
    vi.stubGlobal('document', page);
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(look: typeof report) {
          report = look;
        }
        observe = vi.fn();
        disconnect = vi.fn();
      },
    );
    const box = { scrollTop: 0, clientHeight: 100, scrollHeight: 100 };
    const chat = new Chat({ socket: { user: user('me') }, changed: vi.fn() } as never, 'game:g1');
    (chat as unknown as { boxed(box: unknown): void }).boxed(box);
    const see = (part: number) => report([{ intersectionRatio: part }]);
    const take = (...messages: GameMessage[]) => messages.forEach((message) => chat.take(message, () => undefined));
    return { page, box, chat, see, take, mark: () => /(?<=data-testid="unread">)[^<]+/.exec(text(chat.opener(), true))?.[0] ?? null };
  }

  it('grows with lines by others, and goes when they are seen', () => {
    const { chat, see, take, mark } = opened();
    take(all(line('ben', 1)), said('me', 2));
    expect(mark()).toBeNull();
    take(said('ben', 3), said('ben', 4));
    expect(mark()).toBe('2');
    see(0.2);
    expect(mark()).toBe('2');
    see(1);
    expect(mark()).toBeNull();
    take(said('ben', 5));
    chat.keep();
    expect(mark()).toBeNull();
  });

  it('does not grow with what is read as it comes', () => {
    const { chat, see, take } = opened();
    take(all());
    see(1);
    take(said('ben', 1));
    expect(text(chat.opener())).not.toContain('unread');
  });

  it('stays while the page is hidden, or the person reads further up', () => {
    const { page, box, chat, see, take, mark } = opened();
    see(1);
    page.hidden = true;
    take(all(), said('ben', 1));
    chat.keep();
    expect(mark()).toBe('1');
    page.hidden = false;
    chat.keep();
    expect(mark()).toBeNull();
    Object.assign(box, { scrollHeight: 300, scrollTop: 200 });
    chat.keep();
    box.scrollTop = 50;
    chat.keep();
    take(said('ben', 2));
    chat.keep();
    expect(mark()).toBe('1');
    box.scrollTop = 200;
    (chat as unknown as { scrolled(): void }).scrolled();
    expect(mark()).toBeNull();
  });

  it('has what came while the connection was lost', () => {
    const { take, mark } = opened();
    take(all(line('ben', 1)), all(line('ben', 1), line('me', 2), line('ben', 3)), all(line('ben', 1), line('me', 2), line('ben', 3)));
    expect(mark()).toBe('1');
  });

  it('is short, and told in full', () => {
    const { chat, take, mark } = opened();
    take(all(), ...Array.from({ length: 12 }, (_, at) => said('ben', at + 1)));
    expect(mark()).toBe('9+');
    expect(text(chat.opener())).toContain('12 unread messages');
  });
});
