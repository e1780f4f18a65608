/** Simuls and boards for tests. */

import type { SimulBoard, SimulPerson, SimulSnapshot, User } from '../../src/net/protocol';

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export const person = (id: string): User => ({ id, name: `Guest ${id}`, kind: 'guest', title: null });

export const applicant = (id: string, more: Partial<SimulPerson> = {}): SimulPerson => ({ ...person(id), rating: 1500, ...more });

export const board = (number: number, more: Partial<SimulBoard> = {}): SimulBoard => ({
  board: number,
  g: `g${number}`,
  user: person(`p${number}`),
  rating: 1000 + number,
  color: 'w',
  ply: 2,
  position: START,
  last: 'e7e5',
  clock: { w: 300_000, b: 300_000, run: 'w', at: 1_000 * number },
  turn: 'host',
  status: 'live',
  result: '*',
  ...more,
});

export const boards = (n: number): SimulBoard[] => Array.from({ length: n }, (_, index) => board(index + 1));

export const snapshot = (more: Partial<SimulSnapshot> = {}): SimulSnapshot => ({
  t: 'simul',
  simul: 's1',
  seq: 100,
  name: 'Club evening',
  text: '',
  host: person('host'),
  status: 'running',
  game: 'chess',
  variant: 'standard',
  variants: [{ game: 'chess', variant: 'standard' }],
  tc: { base_s: 300, inc_s: 0 },
  mode: 'clock',
  host_color: 'alternating',
  host_tc: null,
  host_extra_s: 0,
  host_extra_per_board_s: 0,
  countdown_s: 10,
  passes: 3,
  auto_next: true,
  rated: false,
  fen: null,
  draws: 'free',
  max_boards: 100,
  conditions: { min_rating: null, max_rating: null, guests: true, members: false, invited: false },
  auto_accept: false,
  late_join: null,
  away_limit_s: 600,
  delay_s: 0,
  start_at: null,
  you: null,
  your_board: null,
  prepared: null,
  passes_left: null,
  applicants: [],
  players: [],
  boards: [],
  order: [],
  at: null,
  score: { wins: 0, draws: 0, losses: 0, live: 0, aborted: 0 },
  host_online: true,
  away_since: null,
  break_until: null,
  host_clock: null,
  countdown: null,
  watchers: 0,
  created: 0,
  started: null,
  finished: null,
  ...more,
});
