import { afterEach, expect, it, vi } from 'vitest';
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

afterEach(() => vi.unstubAllGlobals());

it('is a new guest with a socket of their own, apart from the cookie of the page', async () => {
  const user = { id: 'b', name: 'Ben', kind: 'guest', title: null };
  const fetched = vi.fn<typeof fetch>(() => Promise.resolve(new Response(JSON.stringify({ token: 'KpW8', user }), { status: 201 })));
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('location', { protocol: 'https:', host: 'play.example' });
  vi.stubGlobal('WebSocket', OpenedSocket);
  void SecondSeat.open(() => undefined);
  await vi.waitFor(() => expect(OpenedSocket.all).toHaveLength(1));
  expect(fetched).toHaveBeenCalledWith('/api/v1/guest', { method: 'POST', credentials: 'omit' });
  expect(OpenedSocket.all[0]).toMatchObject({ url: 'wss://play.example/ws', protocols: ['zeitnot.v1.msgpack', 'zeitnot.token.KpW8'] });
});

it('is refused where the server makes no more guests', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}', { status: 429 })));
  await expect(SecondSeat.open(() => undefined)).rejects.toBeInstanceOf(Refused);
});
