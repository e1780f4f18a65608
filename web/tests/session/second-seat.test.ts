import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Refused } from '../../src/net/protocol';
import { SecondSeat } from '../../src/session/second-seat';

class OpenedSocket {
  static readonly all: OpenedSocket[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: unknown = null;

  constructor(
    readonly url: string,
    readonly protocols: readonly string[],
  ) {
    OpenedSocket.all.push(this);
  }

  send(): void {
    // Nobody answers.
  }

  close(): void {
    // Nothing to close.
  }
}

const APP = { changed: () => undefined, say: () => undefined };
const BEN = { id: 'b', name: 'Ben', kind: 'guest', title: null };
const fetched = vi.fn<typeof fetch>();
let kept: Map<string, string>;
/** Whether the server knows the session of the guest that was kept. */
let isKnown: boolean;

beforeEach(() => {
  OpenedSocket.all.length = 0;
  [kept, isKnown] = [new Map(), true];
  let made = 0;
  fetched.mockReset().mockImplementation((address) =>
    Promise.resolve(
      address === '/api/v1/me'
        ? new Response('{}', { status: isKnown ? 200 : 401 })
        : new Response(JSON.stringify({ token: ['KpW8', 'Xy1Z'][made++], user: BEN }), { status: 201 }),
    ),
  );
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('location', { protocol: 'https:', host: 'play.example' });
  vi.stubGlobal('WebSocket', OpenedSocket);
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
});

afterEach(() => vi.unstubAllGlobals());

/** The tokens of the sockets, once there are so many. */
async function opened(count: number): Promise<(string | undefined)[]> {
  await vi.waitFor(() => expect(OpenedSocket.all).toHaveLength(count));
  return OpenedSocket.all.map(({ protocols }) => protocols[1]);
}

it('is a new guest with a socket of their own, apart from the cookie of the page', async () => {
  void SecondSeat.open(APP);
  await opened(1);
  expect(fetched).toHaveBeenCalledExactlyOnceWith('/api/v1/guest', { method: 'POST', credentials: 'omit' });
  expect(OpenedSocket.all[0]).toMatchObject({ url: 'wss://play.example/ws', protocols: ['zeitnot.v1.msgpack', 'zeitnot.token.KpW8'] });
});

it('stays when the page is loaded again, in the games that they play', async () => {
  expect(SecondSeat.restore(APP, () => true)).toBeNull();
  void SecondSeat.open(APP);
  await opened(1);
  expect(SecondSeat.restore(APP, () => false)).toBeNull();
  expect(SecondSeat.restore(APP, (id) => id === 'b')?.user).toEqual(BEN);
  expect(await opened(2)).toEqual(['zeitnot.token.KpW8', 'zeitnot.token.KpW8']);
});

it('is the guest of before in the next game, while the server knows them', async () => {
  void SecondSeat.open(APP);
  await opened(1);
  void SecondSeat.open(APP);
  await opened(2);
  isKnown = false;
  void SecondSeat.open(APP);
  expect(await opened(3)).toEqual(['zeitnot.token.KpW8', 'zeitnot.token.KpW8', 'zeitnot.token.Xy1Z']);
});

it('is refused where the server makes no more guests', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}', { status: 429 })));
  await expect(SecondSeat.open(APP)).rejects.toBeInstanceOf(Refused);
});
