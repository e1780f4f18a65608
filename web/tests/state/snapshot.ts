/** A snapshot as the server sends it: Anna and Ben have just sat down to a game of blitz, seen by White. */

import type { GameSnapshot } from '../../src/net/protocol';

export const seat = (name: string) => ({
  user: { id: name.toLowerCase(), name, kind: 'guest' as const, title: null },
  rating: null,
  provisional: null,
  online: true,
});

export const SNAPSHOT: GameSnapshot = {
  t: 'game',
  g: 'abc',
  seq: 0,
  game: 'chess',
  variant: 'standard',
  rated: false,
  rules: 'online',
  speed: 'blitz',
  tc: { base_s: 300, inc_s: 0 },
  players: { w: seat('Anna'), b: seat('Ben') },
  you: 'w',
  fen: null,
  moves: [],
  notation: [],
  times: [],
  position: 'start',
  turn: 'w',
  clock: { w: 300_000, b: 300_000, run: null, at: 0 },
  offers: { draw: null, takeback: null, rematch: null },
  status: 'created',
  result: '*',
  reason: null,
  watchers: 0,
  simul: null,
  next: null,
  match: null,
};
