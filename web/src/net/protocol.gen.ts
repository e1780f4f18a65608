/** Written by `python -m codegen.protocol_types` from the server's types. Not by hand. */

export const ERROR_CODES = [
  'bad_message',
  'unknown_type',
  'unauthenticated',
  'bad_credentials',
  'name_taken',
  'not_found',
  'forbidden',
  'conflict',
  'game_over',
  'stale_ply',
  'not_your_turn',
  'illegal_move',
  'unsupported',
  'rate_limited',
  'unavailable',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export const END_REASONS = [
  'checkmate',
  'stalemate',
  'dead_position',
  'resignation',
  'timeout',
  'timeout_draw',
  'agreement',
  'threefold',
  'fivefold',
  'fifty_moves',
  'seventyfive_moves',
  'no_moves',
  'all_captured',
  'draw_rule',
  'goal',
  'abandoned',
  'aborted',
  'illegal_move',
  'default_time',
  'arbiter',
  'claim',
  'both_flags',
  'wrong_position',
  'wrong_colors',
] as const;

export type EndReason = (typeof END_REASONS)[number];

export const POOLS = [
  '1+0',
  '2+1',
  '3+0',
  '3+2',
  '5+0',
  '5+3',
  '10+0',
  '10+5',
  '15+10',
  '30+20',
] as const;

export type PoolName = (typeof POOLS)[number];

export const DECLINE_REASONS = [
  'later',
  'too_fast',
  'too_slow',
  'variant',
  'rated',
  'casual',
  'generic',
] as const;

export type DeclineReason = (typeof DECLINE_REASONS)[number];

export const REPORT_KINDS = [
  'cheating',
  'chat',
  'stalling',
  'profile',
  'other',
] as const;

export type ReportKind = (typeof REPORT_KINDS)[number];

export const VERDICTS = [
  'upheld',
  'dismissed',
] as const;

export type Verdict = (typeof VERDICTS)[number];

export const BAN_CAUSES = [
  'aborted',
  'no_show',
  'let_run',
  'left',
  'moderator',
] as const;

export type BanCause = (typeof BAN_CAUSES)[number];

export const NOTICES = [
  'ban',
  'unban',
  'report',
] as const;

export type NoticeCode = (typeof NOTICES)[number];

export const CLOSE_CODES = {
  goingAway: 1001,
  wrongFrame: 1003,
  badText: 1007,
  tooBig: 1009,
  loggedOut: 1008,
  failed: 1011,
  restart: 1012,
  tooSlow: 1013,
  flood: 4008,
} as const;

export const LIMITS = {
  chatCharacters: 140,
  chatLines: 150,
  baseSeconds: 10800,
  stepSeconds: 180,
  days: 14,
  periods: 10,
  periodMoves: 200,
  nameFrom: 2,
  nameTo: 20,
  passwordFrom: 8,
  passwordTo: 200,
  settingsBytes: 4096,
  settingName: 40,
  poolWindow: 80,
  poolWidensPerSecond: 8,
  poolWidest: 1000,
} as const;

/** The games of the server by their variants, in the order in which they are offered. */
export const GAMES = {
  standard: { game: 'chess', notation: 'san', begins: 'w', profiles: ['online', 'fide', 'uscf'], starts: 1, promotions: 'qrbn' },
  chess960: { game: 'chess', notation: 'san', begins: 'w', profiles: ['online', 'fide', 'uscf'], starts: 960, promotions: 'qrbn' },
  antichess: { game: 'chess', notation: 'san', begins: 'w', profiles: ['online'], starts: 1, promotions: 'qrbnk' },
  international: { game: 'draughts', notation: 'pdn', begins: 'w', profiles: ['online', 'official', 'fmjd'], starts: 1 },
  classic: { game: 'draughts', notation: 'pdn', begins: 'b', profiles: ['online'], starts: 1 },
  english: { game: 'draughts', notation: 'pdn', begins: 'b', profiles: ['online'], starts: 1 },
  italian: { game: 'draughts', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
  russian: { game: 'draughts', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
  brazilian: { game: 'draughts', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
  turkish: { game: 'draughts', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
  frisian: { game: 'draughts', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
  'losing-international': { game: 'draughts', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
  'losing-classic': { game: 'draughts', notation: 'pdn', begins: 'b', profiles: ['online'], starts: 1 },
  'losing-english': { game: 'draughts', notation: 'pdn', begins: 'b', profiles: ['online'], starts: 1 },
  'losing-italian': { game: 'draughts', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
  'losing-russian': { game: 'draughts', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
  'losing-brazilian': { game: 'draughts', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
  'losing-turkish': { game: 'draughts', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
  'losing-frisian': { game: 'draughts', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
  fifteen: { game: 'chinese-checkers', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
  ten: { game: 'chinese-checkers', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 },
} as const;

export type Color = 'w' | 'b';

export type Result = '1-0' | '0-1' | '1/2-1/2' | '*';

export type Status = 'created' | 'live' | 'over';

export type Speed = 'bullet' | 'blitz' | 'rapid' | 'classical' | 'correspondence' | 'unlimited';

export type OfferKind = 'draw' | 'takeback' | 'rematch' | 'position' | 'colors';

export type OfferAct = 'offer' | 'accept' | 'decline';

export type LawsKind = 'blitz' | 'rapid' | 'standard';

export type RulingKind = 'illegal_move' | 'promotion' | 'no_move' | 'wrong_claim' | 'correction';

export type UserKind = 'guest' | 'member' | 'bot';

export type Role = 'arbiter' | 'host' | 'moderator' | 'admin';

export type Scope = 'read' | 'play' | 'host' | 'arbiter';

export type Wish = 'w' | 'b' | 'random';

export type RulesProfile = 'online' | 'official' | 'fmjd' | 'fide' | 'uscf';

export type ChatRoom = 'players' | 'spectators';

export type Closed = 'accepted' | 'declined' | 'cancelled' | 'expired';

export type PoolEnd = 'paired' | 'left' | 'away' | 'ban';

export type Setting = string | number | boolean | null;

export type TimeControl = SingleControl | PeriodsControl | DaysControl | null;

export type LawsChoice = LawsOptions | null;

export type GameEvent = MoveEvent | OfferEvent | TakebackEvent | ClockEvent | EndEvent | TouchEvent | SignalEvent | MadeEvent | RulingEvent | SeatedEvent | WrittenEvent | SignedEvent;

export type GameHint = Hold | Tick | Legal | Crowd | PlayerChange | Rated | HintAsked;

export type LobbyEvent = LobbyAdd | LobbyGone | LobbyGame | LobbyGameGone | LobbySimul | LobbySimulGone | LobbyWaiter | LobbyWaiterGone | LobbyRobots;

export type Personal = Paired | Challenge | ChallengeGone | ChallengeAway | Pool | PoolGone | Notice | SimulHosting | SimulStandIn;

export type SimulMode = 'clock' | 'round';

export type HostColor = 'w' | 'b' | 'random' | 'alternating';

export type SimulStatus = 'created' | 'running' | 'finished' | 'cancelled';

export type SimulRole = 'host' | 'stand_in' | 'applicant' | 'player';

export type BoardEnd = 'draw' | 'resign' | 'abort';

export type DrawRule = 'free' | 'none' | number;

export type HostControl = SingleControl | PeriodsControl | DaysControl | MoveAllowance | 'none' | null;

export type LateJoin = LateJoinMove | LateJoinMinutes | null;

export type SimulEvent = SimulJoined | SimulLeft | SimulAccepted | SimulRejected | SimulKicked | SimulEdited | SimulStarted | SimulBoardEvent | SimulAt | SimulLater | SimulBreak | SimulAway | SimulPassed | SimulCountdown | SimulFinished | SimulCancelled;

export type SimulHint = SimulYou | SimulCrowd;

/** The server's first message. */
export interface Welcome {
  t: 'welcome';
  v: number;
  user: User | null;
  now: number;
  games: string[];
  simuls?: string[];
  limits: Record<string, unknown>;
}

/** Public view of a person. */
export interface User {
  id: string;
  name: string;
  kind: UserKind;
  title: string | null;
}

/** A request that was refused. */
export interface ErrorMessage {
  t: 'error';
  id?: number;
  code: ErrorCode;
  message: string;
}

/** A game as seen by one viewer. `leaps` is parallel to `moves`, null for single steps, and absent if all are;
`legal_leaps` are the paths of legal moves that are not single steps; `draw_in` is present while a limit
applies; `pausable` in games whose players may stop the clocks; `hints` in those in which the opponent of a
robot may ask for hints; `laws` in games by the Laws as played over a board. */
export interface GameSnapshot {
  g: string;
  game: string;
  variant: string;
  rated: boolean;
  rules: string;
  speed: Speed;
  tc: TimeControl;
  tcs?: Record<Color, SingleControl | PeriodsControl | DaysControl | MoveAllowance | null>;
  delay_s?: number;
  delay_moves?: number;
  simul_host?: Color;
  t: 'game';
  seq: number;
  players: Record<Color, Player>;
  you: Color | null;
  fen: string | null;
  moves: string[];
  notation: string[];
  times: number[];
  position: string;
  turn: Color;
  leaps?: (Leaps | null)[];
  draw_in?: number;
  legal?: string[];
  legal_leaps?: Record<string, Leaps[]>;
  pausable?: boolean;
  hints?: boolean;
  laws?: Laws;
  clock: Clock | null;
  offers: Offers;
  status: Status;
  result: Result;
  reason: string | null;
  ratings?: Record<Color, number>;
  unrated?: 'limit' | 'short' | 'later';
  no_show?: boolean;
  watchers: number;
  simul: string | null;
  next: string | null;
  match: Match | null;
}

/** One period for the whole game, with at most one of the three. */
export interface SingleControl {
  base_s: number;
  inc_s?: number;
  delay_s?: number;
  bronstein_s?: number;
}

/** Several periods. */
export interface PeriodsControl {
  periods: Period[];
}

/** One period; `moves` to make in it, or the rest of the game. Without `inc_s` it is 0. */
export interface Period {
  moves?: number;
  base_s: number;
  inc_s?: number;
}

/** A number of days for every move. */
export interface DaysControl {
  days: number;
}

/** Seconds for every move, starting anew whenever the host arrives at the board. */
export interface MoveAllowance {
  move_s: number;
}

/** One side of a game. */
export interface Player {
  user: User;
  rating: number | null;
  provisional: boolean | null;
  online: boolean;
  country?: string;
}

/** A path: the landing squares, the last included, and the squares of captured pieces, in order. */
export interface Leaps {
  path: string[];
  taken: string[];
}

/** The state of a game by the Laws as played over a board. `bound` is sent to the side to move: the moves that the
pieces touched leave; null: all. `positions` are those after completed illegal moves, each with the number of
half-moves before it. `sheets` is null unless the players write them. */
export interface Laws {
  supervised: boolean;
  draw_from: number | null;
  default_s: number;
  score_sheet: boolean;
  kind: LawsKind;
  rulings: 'at_once' | 'by_claim';
  flag: 'server' | 'claim';
  seated: Record<Color, boolean>;
  adjusting: boolean;
  touched: string[];
  bound: string[] | null;
  made: MadeMove | null;
  illegal: Record<Color, number>;
  may_claim: boolean;
  positions: [number, string][];
  sheets: Record<Color, SheetEntry[]> | null;
  signed: Record<Color, boolean>;
}

/** A move that is made and not completed; `san` or `pdn` by the game's notation. */
export interface MadeMove {
  move: string;
  san?: string;
  pdn?: string;
  position: string;
  draw: boolean;
}

/** A move as a player wrote it; `right`: it is the one that was played. */
export interface SheetEntry {
  text: string;
  right: boolean;
}

/** Milliseconds left on both clocks at the instant `at` (Unix ms of the server). */
export interface Clock {
  w: number;
  b: number;
  run: Color | null;
  at: number;
  delay_left?: number;
  first_move_by?: number;
  period?: Record<Color, number>;
  moves_to_go?: Record<Color, number | null>;
  held?: string;
}

/** The side that has an open offer of each kind; `position` and `colors` are present by the Laws only. */
export interface Offers {
  draw: Color | null;
  takeback: Color | null;
  rematch: Color | null;
  position?: Color | null;
  colors?: Color | null;
}

/** The match before this game: number of games, and points of the present White and Black. */
export interface Match {
  games: number;
  w: number;
  b: number;
}

/** A move; `san` or `pdn` by the game's notation. `leaps` is present unless it is a single step, `draw_in`
while a limit applies. */
export interface MoveEvent {
  g: string;
  seq: number;
  t: 'move';
  ply: number;
  by: Color;
  move: string;
  san?: string;
  pdn?: string;
  position: string;
  check: boolean;
  clock: Clock | null;
  draw?: boolean;
  leaps?: Leaps;
  draw_in?: number;
}

/** An offer, or the answer to one; `next` is the game of a rematch. */
export interface OfferEvent {
  g: string;
  seq: number;
  t: 'offer';
  what: OfferKind;
  do: OfferAct;
  by: Color;
  next?: string;
}

/** `plies` half-moves were taken back; `draw_in` as in a move. */
export interface TakebackEvent {
  g: string;
  seq: number;
  t: 'takeback';
  plies: number;
  position: string;
  clock: Clock | null;
  draw_in?: number;
}

/** The clocks were set; `by` is null for the server. */
export interface ClockEvent {
  g: string;
  seq: number;
  t: 'clock';
  clock: Clock | null;
  why: string;
  by: Color | null;
}

/** The game is over. */
export interface EndEvent {
  g: string;
  seq: number;
  t: 'end';
  result: Result;
  reason: string;
  clock: Clock | null;
  ratings: Record<Color, number> | null;
  unrated?: 'limit' | 'short' | 'later';
  no_show?: boolean;
}

/** By the Laws: the side to move has touched a piece. */
export interface TouchEvent {
  g: string;
  seq: number;
  t: 'touch';
  by: Color;
  square: string;
}

/** By the Laws: the side to move has begun or ended to adjust pieces. */
export interface SignalEvent {
  g: string;
  seq: number;
  t: 'signal';
  by: Color;
  on: boolean;
}

/** By the Laws: the side to move has put a piece down and not pressed the clock; `san` or `pdn` by the game's
notation. The move may be illegal. */
export interface MadeEvent {
  g: string;
  seq: number;
  t: 'made';
  ply: number;
  by: Color;
  move: string;
  san?: string;
  pdn?: string;
  position: string;
  touched: string[];
  draw: boolean;
}

/** By the Laws: a decision on an irregularity of `by`. `times` is the number of their illegal moves so far,
`given_ms` what the opponent gets, `touched` what still binds `by`. */
export interface RulingEvent {
  g: string;
  seq: number;
  t: 'ruling';
  by: Color;
  what: RulingKind;
  move: string | null;
  times: number;
  given_ms: number;
  touched: string[];
  clock: Clock | null;
}

/** By the Laws: a player has come to the board. */
export interface SeatedEvent {
  g: string;
  seq: number;
  t: 'seated';
  by: Color;
}

/** By the Laws: a player has written the move of half-move `ply` on their score sheet, or corrected it. */
export interface WrittenEvent {
  g: string;
  seq: number;
  t: 'written';
  by: Color;
  ply: number;
  text: string;
  right: boolean;
}

/** By the Laws: a player has signed the result. */
export interface SignedEvent {
  g: string;
  seq: number;
  t: 'signed';
  by: Color;
}

/** The clocks are held. */
export interface Hold {
  t: 'hold';
  g: string;
  why: string;
}

/** About once a second while a clock runs, and when the time for a first move begins again. */
export interface Tick {
  t: 'tick';
  g: string;
  clock: Clock;
}

/** Sent to the player to move, if they asked for it. `leaps` are the paths of moves that are not single steps, and
absent if all are; `bound` is as in `laws` of a snapshot, and present in games by the Laws. */
export interface Legal {
  t: 'legal';
  g: string;
  ply: number;
  legal: string[];
  leaps?: Record<string, Leaps[]>;
  bound?: string[] | null;
}

/** The number of spectators, the players who are present, and the ms until an absent one may be claimed against. */
export interface Crowd {
  t: 'crowd';
  topic: string;
  watchers: number;
  online: Record<Color, boolean>;
  left: Record<Color, number | null>;
}

/** The player of `color` has another name or kind. */
export interface PlayerChange {
  t: 'player';
  g: string;
  color: Color;
  user: User;
}

/** A delayed game has counted now, or turned out not to count. */
export interface Rated {
  t: 'rated';
  g: string;
  ratings: Record<Color, number> | null;
  unrated: 'limit' | 'short' | 'later' | null;
}

/** To the robot of a game only: its opponent, who is to move after `ply` half-moves, asks for a hint. */
export interface HintAsked {
  t: 'hint.asked';
  g: string;
  ply: number;
}

/** A new line of chat. */
export interface ChatMessage {
  user: User;
  text: string;
  at: number;
  t: 'chat';
  topic: string;
  room: ChatRoom;
}

/** Earlier lines of chat, which replace those the client has. */
export interface ChatLines {
  t: 'chat.lines';
  topic: string;
  room: ChatRoom;
  lines: ChatLine[];
}

/** An earlier line of chat. */
export interface ChatLine {
  user: User;
  text: string;
  at: number;
}

/** Pushed to a player whose game begins. */
export interface Paired {
  t: 'paired';
  g: string;
  color: Color;
  opponent: User;
}

/** Pushed to both people concerned. */
export interface Challenge {
  challenge: string;
  from: User;
  to: User | null;
  game: string;
  variant: string;
  tc: TimeControl;
  rated: boolean;
  rules: string;
  position: number | null;
  delay_s?: number;
  delay_moves?: number;
  laws?: LawsTerms;
  opponent_tc: TimeControl;
  fen: string | null;
  color: Wish;
  expires: number;
  t: 'challenge';
}

/** The terms on the wire. All fields may be left out of a request. */
export interface LawsTerms {
  supervised: boolean;
  draw_from: number | null;
  default_s: number;
  score_sheet: boolean;
}

/** Pushed to both people concerned. */
export interface ChallengeGone {
  t: 'challenge.gone';
  challenge: string;
  why: Closed;
  reason?: DeclineReason;
}

/** Pushed to the recipient of a challenge by name: whether the challenger has been away for a while. */
export interface ChallengeAway {
  t: 'challenge.away';
  challenge: string;
  away: boolean;
}

/** Pushed to a person who waits in a pool; `since` is when they joined (Unix ms). */
export interface Pool {
  t: 'pool';
  pool: PoolName;
  game: string;
  variant: string;
  rated: boolean;
  since: number;
}

/** Pushed to a person who does not wait any more. */
export interface PoolGone {
  t: 'pool.gone';
  why: PoolEnd;
}

/** A notice to a person; `text` is in English. */
export interface Notice {
  t: 'notice';
  code: NoticeCode;
  text: string;
  until: number | null;
  what: BanCause | null;
}

/** All running simuls that the person hosts, or plays or may take over as the stand-in; sent when they change. */
export interface SimulHosting {
  t: 'simul.hosting';
  simuls: string[];
}

/** The host has named the person the stand-in of a simul, which has this name. */
export interface SimulStandIn {
  t: 'simul.stand_in';
  simul: string;
  name: string;
  host: User;
}

/** The same with what does not change; sent after `sub`, and when a player has another name. */
export interface Mini {
  t: 'mini';
  g: string;
  seq: number;
  position: string;
  last: string | null;
  leaps: Leaps | null;
  turn: Color;
  ply: number;
  check: boolean;
  clock: Clock | null;
  status: Status;
  result: Result;
  reason: string | null;
  next: string | null;
  game: string;
  variant: string;
  rated: boolean;
  rules: string;
  speed: Speed;
  tc: TimeControl;
  tcs?: Record<Color, SingleControl | PeriodsControl | DaysControl | MoveAllowance | null>;
  delay_s?: number;
  delay_moves?: number;
  simul_host?: Color;
  players: Record<Color, Player>;
  simul: string | null;
  watchers: number;
}

/** A mini board after a change; it replaces the previous state. */
export interface MiniChange {
  t: 'mini';
  g: string;
  seq: number;
  position: string;
  last: string | null;
  leaps: Leaps | null;
  turn: Color;
  ply: number;
  check: boolean;
  clock: Clock | null;
  status: Status;
  result: Result;
  reason: string | null;
  next: string | null;
}

/** `tv`: the game of every channel that has had one. */
export interface Tv {
  t: 'tv';
  seq: number;
  channels: Record<string, string>;
}

/** `tv.game`: a channel switches to another game. */
export interface TvGame {
  t: 'tv.game';
  seq: number;
  channel: string;
  g: string;
}

/** Sent after `sub` to `lobby`. `top` are the best-rated games in play, best first; `simuls` are those open
to join, newest first; `waiters` are people in casual pools, longest waiting first. `pools` maps each pool to
three numbers: people who wait for a casual game, people who wait for a rated one, and games in play. `robots` is
null while no robot plays. */
export interface LobbySnapshot {
  t: 'lobby';
  seq: number;
  seeks: Seek[];
  games: number;
  online: number;
  top: LiveGame[];
  simuls: SimulCard[];
  waiters: Waiter[];
  pools: Record<string, number[]>;
  robots?: Robots | null;
}

/** An open seek. */
export interface Seek {
  game: string;
  variant: string;
  tc: TimeControl;
  rated: boolean;
  rules: string;
  position: number | null;
  delay_s?: number;
  delay_moves?: number;
  laws?: LawsTerms;
  color: Wish;
  rating: number | null;
  provisional: boolean | null;
  min_rating: number | null;
  max_rating: number | null;
  seek: string;
  user: User;
}

/** A line of the list of games in play. `boards` is the number of boards in play of its simul, all of which this
line stands for. */
export interface LiveGame {
  g: string;
  game: string;
  variant: string;
  rated: boolean;
  rules: string;
  speed: Speed;
  tc: TimeControl;
  tcs?: Record<Color, SingleControl | PeriodsControl | DaysControl | MoveAllowance | null>;
  delay_s?: number;
  delay_moves?: number;
  simul_host?: Color;
  players: Record<Color, Seat>;
  status: Status;
  result: Result;
  reason: string | null;
  ratings: Record<Color, number> | null;
  plies: number;
  created: number;
  ended: number | null;
  simul?: string;
  laws?: LawsTerms;
  position: string;
  last: string | null;
  turn: Color;
  watchers: number;
  clock: Clock | null;
  boards?: number;
}

/** One side in a list of games. */
export interface Seat {
  user: User;
  rating: number | null;
  provisional: boolean | null;
}

/** List entry. Applicants, accepted players and boards are counts. */
export interface SimulCard {
  simul: string;
  name: string;
  host: User;
  game: string;
  variant: string;
  variants: OfferedVariant[];
  tc: TimeControl;
  mode: SimulMode;
  host_color: HostColor;
  rated: boolean;
  status: SimulStatus;
  max_boards: number;
  applicants: number;
  players: number;
  boards: number;
  score: Score | FinalScore;
  start_at: number | null;
  created: number;
  started: number | null;
  finished: number | null;
}

/** A game that applicants may choose. */
export interface OfferedVariant {
  game: string;
  variant: string;
}

/** The host's score: boards won, drawn, lost, live, and ended without a result. */
export interface Score {
  wins: number;
  draws: number;
  losses: number;
  live: number;
  aborted: number;
}

/** The score of a finished simul: the host's points in per cent, number of moves, total and average time of them,
and the duration. `percent` and `move_ms` are null if undefined. */
export interface FinalScore {
  wins: number;
  draws: number;
  losses: number;
  live: number;
  aborted: number;
  percent: number | null;
  moves: number;
  host_ms: number;
  move_ms: number | null;
  duration_ms: number;
}

/** A person who waits in a casual pool, for others to take. `rating` is that in this speed and variant, null for
guests. */
export interface Waiter {
  user: User;
  rating: number | null;
  provisional: boolean | null;
  pool: PoolName;
  game: string;
  variant: string;
  since: number;
}

/** The robots of the server: `games` are the variants that they play, by game. They take no new game while they
are `busy`. */
export interface Robots {
  busy: boolean;
  games: Record<string, string[]>;
}

/** A new seek; numbered. */
export interface LobbyAdd {
  game: string;
  variant: string;
  tc: TimeControl;
  rated: boolean;
  rules: string;
  position: number | null;
  delay_s?: number;
  delay_moves?: number;
  laws?: LawsTerms;
  color: Wish;
  rating: number | null;
  provisional: boolean | null;
  min_rating: number | null;
  max_rating: number | null;
  seek: string;
  user: User;
  t: 'lobby.add';
  seq: number;
}

/** A closed seek; numbered. */
export interface LobbyGone {
  t: 'lobby.gone';
  seq: number;
  seek: string;
}

/** A game that is new among the best, or has changed; numbered. */
export interface LobbyGame {
  t: 'lobby.game';
  seq: number;
  card: LiveGame;
}

/** A game that is not among the best any more, or is over; numbered. */
export interface LobbyGameGone {
  t: 'lobby.game_gone';
  seq: number;
  g: string;
}

/** A simul that may be joined now, or has changed; numbered. */
export interface LobbySimul {
  t: 'lobby.simul';
  seq: number;
  card: SimulCard;
}

/** A simul that cannot be joined any more; numbered. */
export interface LobbySimulGone {
  t: 'lobby.simul_gone';
  seq: number;
  simul: string;
}

/** A person who waits in a casual pool now, or whose card has changed; numbered. */
export interface LobbyWaiter {
  t: 'lobby.waiter';
  seq: number;
  card: Waiter;
}

/** A person who cannot be taken from a casual pool any more; numbered. */
export interface LobbyWaiterGone {
  t: 'lobby.waiter_gone';
  seq: number;
  user: string;
}

/** Robots have come, have gone, or play other games; numbered. */
export interface LobbyRobots {
  t: 'lobby.robots';
  seq: number;
  robots: Robots | null;
}

/** Numbers of games and people; may be lost. `pools` is present if it has changed. */
export interface LobbyCount {
  t: 'lobby.count';
  games: number;
  online: number;
  pools?: Record<string, number[]>;
}

/** A simul as seen by one viewer. `players` have no board yet; while it runs players are at `boards`.

`order` lists the boards in the order of the coming visits (`round` mode). The fields of the
stand-in are present if the host has named one. */
export interface SimulSnapshot {
  name: string;
  text: string;
  game: string;
  variant: string;
  variants: OfferedVariant[];
  tc: TimeControl;
  mode: SimulMode;
  host_color: HostColor;
  host_tc: HostControl;
  host_extra_s: number;
  host_extra_per_board_s: number;
  countdown_s: number;
  passes: number;
  auto_next: boolean;
  rated: boolean;
  fen: string | null;
  draws: DrawRule;
  max_boards: number;
  conditions: Conditions;
  auto_accept: boolean;
  late_join: LateJoin;
  away_limit_s: number;
  delay_s: number;
  start_at: number | null;
  you: SimulRole | null;
  your_board: number | null;
  prepared: Prepared | null;
  passes_left: number | null;
  notes?: Record<string, string>;
  invited?: User[];
  stand_in?: User | null;
  acting?: boolean;
  offered?: boolean;
  t: 'simul';
  simul: string;
  seq: number;
  host: User;
  status: SimulStatus;
  applicants: SimulPerson[];
  players: SimulPerson[];
  boards: SimulBoard[];
  order: number[];
  at: number | null;
  score: Score | FinalScore;
  host_online: boolean;
  away_since: number | null;
  break_until: number | null;
  host_clock: HostClock | null;
  countdown: Countdown | null;
  watchers: number;
  created: number;
  started: number | null;
  finished: number | null;
}

/** Who may join. `members`: neither guests nor bots; `invited`: only people on the host's list. */
export interface Conditions {
  min_rating: number | null;
  max_rating: number | null;
  guests: boolean;
  members: boolean;
  invited: boolean;
}

/** Late joiners are accepted until the host has made this many moves at a board. */
export interface LateJoinMove {
  move: number;
}

/** Late joiners are accepted for this many minutes. */
export interface LateJoinMinutes {
  minutes: number;
}

/** A player's prepared move. */
export interface Prepared {
  ply: number;
  move: string;
}

/** An applicant, or a player without a board. `rating` is that of the requested game.

`game` and `variant` are present if they differ from the simul's, other fields if the host has set them. */
export interface SimulPerson {
  id: string;
  name: string;
  kind: UserKind;
  title: string | null;
  rating: number | null;
  provisional?: boolean;
  game?: string;
  variant?: string;
  player_extra_s?: number;
  host_extra_s?: number;
  color?: Color;
}

/** One board. `color` is the host's; `passes` is the number of passes left to the player.

`leaps` is present if the last move was not a single step, and null in an event that resets it.

`game` and `variant` are present if they differ from the simul's, `later` if it is set, extra seconds if there
are any, `reason` when the game is over. */
export interface SimulBoard {
  board: number;
  g: string;
  user: User;
  rating: number | null;
  provisional?: boolean;
  game?: string;
  variant?: string;
  color: Color;
  ply: number;
  position: string;
  last: string | null;
  leaps?: Leaps | null;
  clock: BoardClock | null;
  turn: 'host' | 'player';
  status: Status;
  result: Result;
  reason?: string;
  later?: boolean;
  passes?: number;
  player_extra_s?: number;
  host_extra_s?: number;
}

/** The clock of a game without periods. In `round` mode the host's side is as of their last visit. */
export interface BoardClock {
  w: number;
  b: number;
  run: Color | null;
  at: number;
  delay_left?: number;
  held?: string;
}

/** The host's one clock for all boards: `left` at the instant `at`, from which it runs if `run`. */
export interface HostClock {
  left: number;
  run: boolean;
  at: number;
}

/** At `until` the clock of the player at `board` starts. */
export interface Countdown {
  board: number;
  until: number;
}

/** A person has applied. */
export interface SimulJoined {
  simul: string;
  seq: number;
  t: 'simul.joined';
  user: SimulPerson;
}

/** An applicant or player has left. */
export interface SimulLeft {
  simul: string;
  seq: number;
  t: 'simul.left';
  user: User;
}

/** An applicant was accepted as a player. */
export interface SimulAccepted {
  simul: string;
  seq: number;
  t: 'simul.accepted';
  user: SimulPerson;
}

/** The host has rejected an applicant. */
export interface SimulRejected {
  simul: string;
  seq: number;
  t: 'simul.rejected';
  user: User;
}

/** The host has removed an applicant or player, who cannot apply again. */
export interface SimulKicked {
  simul: string;
  seq: number;
  t: 'simul.kicked';
  user: User;
}

/** The whole announcement after a change, or `person`: the entry of one player or applicant. */
export interface SimulEdited {
  simul: string;
  seq: number;
  t: 'simul.edited';
  terms?: SimulTerms;
  stand_in?: User | null;
  person?: SimulPerson;
}

/** An announcement. `game` and `variant` are the first of `variants`. */
export interface SimulTerms {
  name: string;
  text: string;
  game: string;
  variant: string;
  variants: OfferedVariant[];
  tc: TimeControl;
  mode: SimulMode;
  host_color: HostColor;
  host_tc: HostControl;
  host_extra_s: number;
  host_extra_per_board_s: number;
  countdown_s: number;
  passes: number;
  auto_next: boolean;
  rated: boolean;
  fen: string | null;
  draws: DrawRule;
  max_boards: number;
  conditions: Conditions;
  auto_accept: boolean;
  late_join: LateJoin;
  away_limit_s: number;
  delay_s: number;
  start_at: number | null;
}

/** The simul starts. `applicants` is present, and empty, if no applicants are left. */
export interface SimulStarted {
  simul: string;
  seq: number;
  t: 'simul.started';
  status: SimulStatus;
  applicants?: SimulPerson[];
  players: SimulPerson[];
  boards: SimulBoard[];
  order: number[];
  score: Score;
  at: number | null;
  started: number;
  host_clock: HostClock | null;
}

/** Changes at `board`. A new board is sent whole, and its player is not an applicant any more.

`score` comes with a board that is new or over, `host_clock` if the host's one clock has changed with it.
`later` is present, and false, when a board that was put off is over. */
export interface SimulBoardEvent {
  simul: string;
  seq: number;
  t: 'simul.board';
  board: number;
  g?: string;
  user?: User;
  rating?: number | null;
  provisional?: boolean;
  game?: string;
  variant?: string;
  color?: Color;
  ply?: number;
  position?: string;
  last?: string | null;
  leaps?: Leaps | null;
  clock?: BoardClock | null;
  turn?: 'host' | 'player';
  status?: Status;
  result?: Result;
  reason?: string;
  later?: boolean;
  passes?: number;
  player_extra_s?: number;
  host_extra_s?: number;
  score?: Score;
  host_clock?: HostClock | null;
}

/** The host is at `board`; null: on the way. In `round` mode the board becomes the last in order. */
export interface SimulAt {
  simul: string;
  seq: number;
  t: 'simul.at';
  board: number | null;
  host_clock?: HostClock | null;
}

/** The host puts `board` off until after all others; with `on` false they are there. */
export interface SimulLater {
  simul: string;
  seq: number;
  t: 'simul.later';
  board: number;
  on: boolean;
}

/** All clocks are stopped until `until` at the latest; null: play continues. */
export interface SimulBreak {
  simul: string;
  seq: number;
  t: 'simul.break';
  until: number | null;
  host_clock?: HostClock | null;
}

/** The host has been away since `since` and their clocks are stopped; null: they are present. `acting`: the
stand-in plays for them; `offered`: the host plays and lets the stand-in take over. */
export interface SimulAway {
  simul: string;
  seq: number;
  t: 'simul.away';
  since: number | null;
  acting?: boolean;
  offered?: boolean;
  host_clock?: HostClock | null;
}

/** The player at `board` has passed; `passes` is the number left. */
export interface SimulPassed {
  simul: string;
  seq: number;
  t: 'simul.passed';
  board: number;
  passes: number;
}

/** The host waits at `board`: the player's clock starts at `until`; null: the countdown has ended. */
export interface SimulCountdown {
  simul: string;
  seq: number;
  t: 'simul.countdown';
  board: number;
  until: number | null;
}

/** The last board is over. */
export interface SimulFinished {
  simul: string;
  seq: number;
  t: 'simul.finished';
  status: SimulStatus;
  break_until: null;
  away_since: null;
  score: FinalScore;
  finished: number;
  acting?: boolean;
  offered?: boolean;
}

/** The simul is cancelled. */
export interface SimulCancelled {
  simul: string;
  seq: number;
  t: 'simul.cancelled';
  status: SimulStatus;
  applicants: SimulPerson[];
  players: SimulPerson[];
}

/** The viewer's own part of the snapshot, sent to them alone. */
export interface SimulYou {
  you: SimulRole | null;
  your_board: number | null;
  prepared: Prepared | null;
  passes_left: number | null;
  notes?: Record<string, string>;
  invited?: User[];
  t: 'simul.you';
  simul: string;
}

/** The number of spectators, and whether the host is present. */
export interface SimulCrowd {
  t: 'simul.crowd';
  simul: string;
  watchers: number;
  host_online: boolean;
}

/** `POST /api/v1/guest`. */
export interface Guest {
  token: string;
  user: User;
}

/** `GET /api/v1/me`. */
export interface Me {
  user: User;
  roles: Role[];
  scopes: Scope[];
  ratings: Record<string, Rating>;
  ban: Ban | null;
}

/** One present rating of a person; `last` is when the last game that counts ended (Unix ms). */
export interface Rating {
  rating: number;
  deviation: number;
  provisional: boolean;
  games: number;
  last: number;
}

/** Why a person may not play, and until when (Unix ms). */
export interface Ban {
  until: number;
  why: string;
  what: BanCause;
}

/** `POST /api/v1/signup`, `/login` and `/reset`. */
export interface Login {
  token: string;
  user: User;
}

/** `POST /api/v1/reset/request`. */
export interface Mail {
  mail: boolean;
}

/** `GET` and `PUT /api/v1/me/settings`. */
export interface MySettings {
  settings: Record<string, Setting>;
}

/** `GET /api/v1/account`. */
export interface Account {
  user: User;
  email: string | null;
  unconfirmed: string | null;
  mail: boolean;
  roles: Role[];
  created: number;
  sessions: Session[];
  tokens: Token[];
  ban: Ban | null;
  about: string;
  country: string | null;
  invisible: boolean;
}

/** A session of the account. */
export interface Session {
  id: string;
  current: boolean;
  created: number;
  used: number;
  agent: string | null;
}

/** An API token, without the token. */
export interface Token {
  id: string;
  label: string;
  scopes: Scope[];
  created: number;
  expires: number;
  used: number | null;
}

/** `PUT /api/v1/account/email` and `POST /api/v1/account/email/code`. */
export interface Email {
  email: string | null;
  unconfirmed: string | null;
}

/** `POST /api/v1/account/tokens`: the only time the token is shown. */
export interface NewToken {
  id: string;
  label: string;
  scopes: Scope[];
  created: number;
  expires: number;
  used: number | null;
  token: string;
}

/** `POST /api/v1/account/bot`. */
export interface UserAnswer {
  user: User;
}

/** `PUT /api/v1/account/profile`. */
export interface OwnProfile {
  about: string;
  country: string | null;
}

/** `PUT /api/v1/account/invisible`. */
export interface Invisible {
  invisible: boolean;
}

/** `GET /api/v1/users/{name}`; `playing` is the newest game that is not over. */
export interface Profile {
  user: User;
  created: number;
  closed: boolean;
  online: boolean;
  playing: string | null;
  ratings: Record<string, Rating>;
  games: Results;
  about: string;
  country: string | null;
  followed: boolean;
}

/** Finished games against others. */
export interface Results {
  won: number;
  drawn: number;
  lost: number;
  total: number;
}

/** `GET /api/v1/users/{name}/versus/{other}`; `games` from the point of view of `user`. */
export interface Versus {
  user: User;
  other: User;
  games: Results;
}

/** `GET /api/v1/follows`. */
export interface Follows {
  follows: FollowedUser[];
}

/** A followed user. */
export interface FollowedUser {
  user: User;
  online: boolean;
  playing: string | null;
  country: string | null;
}

/** `GET /api/v1/online`: at most 200 members and bots, the best-rated first. */
export interface Online {
  users: OnlineUser[];
  members: number;
  guests: number;
}

/** A user who is online. `rating` is their best rating that is not provisional. */
export interface OnlineUser {
  user: User;
  rating: number | null;
  playing: string | null;
  country: string | null;
}

/** `GET /api/v1/users/{name}/status`. */
export interface UserStatus {
  user: User;
  online: boolean;
  playing: string | null;
}

/** `GET /api/v1/users/{name}/ratings/{perf}`. `points` are pairs of an instant and a rating, oldest first. */
export interface RatingHistory {
  perf: string;
  points: number[][];
}

/** `GET /api/v1/leaderboards`: the first entries of every board. */
export interface Leaderboards {
  boards: Record<string, Leader[]>;
}

/** One line of a leaderboard. */
export interface Leader {
  rank: number;
  user: User;
  rating: number;
  games: number;
  country: string | null;
}

/** `GET /api/v1/leaderboards/{perf}`. */
export interface Leaderboard {
  perf: string;
  people: Leader[];
}

/** `GET /api/v1/search`. */
export interface SearchResult {
  users: FoundUser[];
  game: string | null;
}

/** A user whom a search has found. */
export interface FoundUser {
  id: string;
  name: string;
  kind: UserKind;
  title: string | null;
  online: boolean;
  country: string | null;
}

/** `GET /api/v1/games`; `next` as `before` gives the page after it. */
export interface GamesPage {
  games: ListedGame[];
  next: string | null;
}

/** A line of a list of games. `simul` is that of which it is a board; `laws` has the terms of a game by the Laws
as played over a board. */
export interface ListedGame {
  g: string;
  game: string;
  variant: string;
  rated: boolean;
  rules: string;
  speed: Speed;
  tc: TimeControl;
  tcs?: Record<Color, SingleControl | PeriodsControl | DaysControl | MoveAllowance | null>;
  delay_s?: number;
  delay_moves?: number;
  simul_host?: Color;
  players: Record<Color, Seat>;
  status: Status;
  result: Result;
  reason: string | null;
  ratings: Record<Color, number> | null;
  plies: number;
  created: number;
  ended: number | null;
  simul?: string;
  laws?: LawsTerms;
}

/** `GET /api/v1/games?live=1`. */
export interface LiveGames {
  games: LiveGame[];
  next: null;
}

/** `GET /api/v1/live`. `total` is the number of all games that match, each board of a simul included. */
export interface LiveCards {
  games: LiveGame[];
  total?: number;
}

/** `GET /api/v1/tv`: the game that each channel shows. */
export interface TvChannels {
  channels: Record<string, LiveGame>;
}

/** What the page of a challenge's link shows. `g` is its game. */
export interface ChallengeCard {
  challenge: string;
  from: User;
  to: User | null;
  game: string;
  variant: string;
  tc: TimeControl;
  rated: boolean;
  rules: string;
  position: number | null;
  delay_s?: number;
  delay_moves?: number;
  laws?: LawsTerms;
  opponent_tc: TimeControl;
  fen: string | null;
  color: Wish;
  expires: number;
  status: 'open' | Closed;
  g: string | null;
  reason: DeclineReason | null;
}

/** `GET /api/v1/blocks`. */
export interface Blocks {
  blocks: User[];
}

/** `POST /api/v1/reports`. */
export interface Reported {
  report: string;
}

/** `GET /api/v1/reports`. `next`, passed as `after`, gives the next page. */
export interface Reports {
  reports: Report[];
  next: string | null;
}

/** A report as moderators see it. `user` is its subject. */
export interface Report {
  report: string;
  by: User;
  user: User;
  game: string | null;
  what: ReportKind;
  text: string;
  lines: ChatLine[];
  created: number;
  open: number;
  verdict: Verdict | null;
  note: string | null;
  judge: User | null;
  judged: number | null;
  ban: Ban | null;
}

/** `POST /api/v1/users/{name}/timeout`. */
export interface Timeout {
  user: User;
  ban: Ban | null;
}

/** `GET /api/v1/simuls`. `next`, passed as `before`, gives the next page. */
export interface SimulsPage {
  simuls: SimulCard[];
  next: string | null;
}

/** `GET /api/v1/simuls/{id}/table.json`; `color` is the host's. */
export interface SimulTable {
  simul: string;
  name: string;
  host: User;
  status: SimulStatus;
  started: number | null;
  finished: number | null;
  score: Score | FinalScore;
  boards: SimulRow[];
}

/** A line of the results table. `points` are the player's, null without a result. */
export interface SimulRow {
  board: number;
  g: string;
  user: User;
  rating: number | null;
  game: string;
  variant: string;
  color: Color;
  result: Result;
  reason: string | null;
  points: number | null;
  moves: number;
  host_ms: number;
}

/** `GET /api/v1/imports`. */
export interface Imports {
  imports: Import[];
  left: ImportRoom;
}

/** One import: games that a person has uploaded together. `bytes` is their stored size. */
export interface Import {
  import: string;
  name: string;
  owner: User;
  public: boolean;
  created: number;
  games: number;
  bytes: number;
}

/** The remaining quota of a person. */
export interface ImportRoom {
  imports: number;
  games: number;
  bytes: number;
}

/** `POST /api/v1/imports`. `import` is its id; null if no game could be read and nothing was stored. */
export interface Imported {
  import: string | null;
  name: string;
  games: number;
  refused: RefusedGame[];
  more_refused: number;
}

/** A game that could not be read. `game`, `line` and `column` count from 1. */
export interface RefusedGame {
  game: number;
  line: number;
  column: number;
  message: string;
}

/** `GET /api/v1/imports/{id}`. */
export interface ImportPage {
  import: Import;
  games: ImportedRow[];
  next: number | null;
}

/** One line of a list. `date` and `event` are as in the tags; unknown is `????.??.??` and `?`. */
export interface ImportedRow {
  n: number;
  players: ImportedPlayers;
  result: Result;
  date: string;
  event: string;
  plies: number;
  variant: string;
}

/** White and Black. */
export interface ImportedPlayers {
  w: ImportedPlayer;
  b: ImportedPlayer;
}

/** A player as in the game's tags. `elo` is null if there is no such tag. */
export interface ImportedPlayer {
  name: string;
  elo: number | null;
}

/** `GET /api/v1/imports/{id}/games/{n}`. `games` is the number of games; `n` counts from 1. */
export interface ImportedGame {
  import: string;
  name: string;
  n: number;
  games: number;
  game: ImportedScore;
}

/** A whole game. `fen` is its start position, null for the usual one. */
export interface ImportedScore {
  tags: Record<string, string>;
  variant: string;
  fen: string | null;
  result: Result;
  line: ImportedLine;
}

/** A sequence of moves. `comments` stand before the first. */
export interface ImportedLine {
  moves: ImportedMove[];
  comments?: string[];
}

/** A move with its annotations; absent ones are left out. `afterwards` are comments after the variations. */
export interface ImportedMove {
  move: string;
  san: string;
  nags?: number[];
  clock?: number;
  spent?: number;
  draw?: boolean;
  comments?: string[];
  variations?: ImportedLine[];
  afterwards?: string[];
}

/** Every answer with a status of 400 or more. */
export interface Failure {
  error: FailureBody;
}

/** The `error` of a failure. */
export interface FailureBody {
  code: ErrorCode;
  message: string;
}

/** An answer with status 422. */
export interface FieldFailure {
  error: FieldFailureBody;
}

/** An error in a form field. */
export interface FieldFailureBody {
  code: 'bad_message';
  message: string;
  field: 'name' | 'password' | 'email' | 'old' | 'new' | 'code' | 'label' | 'scopes' | 'days' | 'about' | 'country' | 'invisible';
}

/** `laws` of a seek or a challenge. */
export interface LawsOptions {
  supervised?: boolean;
  draw_from?: number | null;
  default_s?: number;
  score_sheet?: boolean;
}

/** Answered with `now`. */
export interface PingRequest {
  t: 'ping';
  id?: number | null;
}

export interface SubRequest {
  t: 'sub';
  id?: number | null;
  topic: string;
  from?: number | null;
  ticks?: boolean;
  legal?: boolean;
  laws?: boolean;
  position?: boolean;
}

export interface UnsubRequest {
  t: 'unsub';
  id?: number | null;
  topic: string;
}

/** Create a seek, or be paired at once with a matching one. */
export interface SeekRequest {
  t: 'seek';
  id?: number | null;
  key?: string | null;
  tc: TimeControl;
  game?: string;
  variant?: string;
  rated?: boolean;
  color?: Wish;
  min_rating?: number | null;
  max_rating?: number | null;
  rules?: RulesProfile;
  position?: number | null;
  delay_s?: number;
  delay_moves?: number;
  laws?: LawsChoice;
}

export interface UnseekRequest {
  t: 'unseek';
  id?: number | null;
  key?: string | null;
  seek: string;
}

export interface AcceptRequest {
  t: 'accept';
  id?: number | null;
  key?: string | null;
  seek: string;
  laws?: boolean;
}

export interface ChallengeRequest {
  t: 'challenge';
  id?: number | null;
  key?: string | null;
  tc: TimeControl;
  game?: string;
  variant?: string;
  rated?: boolean;
  color?: Wish;
  min_rating?: number | null;
  max_rating?: number | null;
  rules?: RulesProfile;
  position?: number | null;
  delay_s?: number;
  delay_moves?: number;
  laws?: LawsChoice;
  to?: string | null;
  level?: number | null;
  fen?: string | null;
  opponent_tc?: TimeControl;
  hints?: boolean;
}

export interface ChallengeAcceptRequest {
  t: 'challenge.accept';
  id?: number | null;
  key?: string | null;
  challenge: string;
  laws?: boolean;
}

export interface ChallengeDeclineRequest {
  t: 'challenge.decline';
  id?: number | null;
  key?: string | null;
  challenge: string;
  reason?: DeclineReason;
}

export interface ChallengeCancelRequest {
  t: 'challenge.cancel';
  id?: number | null;
  key?: string | null;
  challenge: string;
}

/** Wait for an opponent in a pool, and leave any other pool. */
export interface PoolJoinRequest {
  t: 'pool.join';
  id?: number | null;
  key?: string | null;
  pool: PoolName;
  rated?: boolean;
  game?: string;
  variant?: string;
}

/** Play a person who waits in a casual pool, without waiting for the next pairing. */
export interface PoolTakeRequest {
  t: 'pool.take';
  id?: number | null;
  key?: string | null;
  user: string;
  pool: PoolName;
  game?: string;
  variant?: string;
}

/** Leave the pool. */
export interface PoolLeaveRequest {
  t: 'pool.leave';
  id?: number | null;
  key?: string | null;
}

export interface MoveRequest {
  t: 'move';
  id?: number | null;
  key?: string | null;
  g: string;
  move: string;
  ply: number;
  draw?: boolean;
  lag?: number | null;
  seen?: number | null;
}

/** In a game by the Laws: touch the piece on a square (Articles 4.3 and 4.4). */
export interface TouchRequest {
  t: 'touch';
  id?: number | null;
  key?: string | null;
  g: string;
  square: string;
  ply?: number | null;
  seen?: number | null;
}

/** In a game by the Laws: begin or end to adjust pieces ("j'adoube", Article 4.2). */
export interface SignalRequest {
  t: 'signal';
  id?: number | null;
  key?: string | null;
  g: string;
  on: boolean;
  ply?: number | null;
  seen?: number | null;
}

/** In a game by the Laws: press the clock, which completes the move (Article 6.7). */
export interface PressRequest {
  t: 'press';
  id?: number | null;
  key?: string | null;
  g: string;
  ply: number;
  move?: string | null;
  lag?: number | null;
  seen?: number | null;
}

/** In a game by the Laws: write a move on one's own score sheet (Article 8.1). */
export interface WriteRequest {
  t: 'write';
  id?: number | null;
  key?: string | null;
  g: string;
  ply: number;
  text: string;
  language?: string;
}

/** In a game by the Laws: sign the result (Article 8.7). */
export interface SignRequest {
  t: 'sign';
  id?: number | null;
  key?: string | null;
  g: string;
}

/** In a game by the Laws: play anew, because the first position or the colours were wrong (Articles 7.1, 7.2). */
export interface RestartRequest {
  t: 'restart';
  id?: number | null;
  key?: string | null;
  g: string;
  do: OfferAct;
  what: 'colors' | 'position';
}

export interface ResignRequest {
  t: 'resign';
  id?: number | null;
  key?: string | null;
  g: string;
}

export interface AbortRequest {
  t: 'abort';
  id?: number | null;
  key?: string | null;
  g: string;
}

export interface DrawRequest {
  t: 'draw';
  id?: number | null;
  key?: string | null;
  g: string;
  do: 'accept' | 'claim' | 'decline' | 'offer';
  move?: string | null;
}

export interface TakebackRequest {
  t: 'takeback';
  id?: number | null;
  key?: string | null;
  g: string;
  do: OfferAct;
}

export interface MoreTimeRequest {
  t: 'moretime';
  id?: number | null;
  key?: string | null;
  g: string;
  seconds: number;
}

export interface FlagRequest {
  t: 'flag';
  id?: number | null;
  key?: string | null;
  g: string;
}

export interface ClaimRequest {
  t: 'claim';
  id?: number | null;
  key?: string | null;
  g: string;
  what: 'draw' | 'illegal_move' | 'win';
}

export interface RematchRequest {
  t: 'rematch';
  id?: number | null;
  key?: string | null;
  g: string;
  do: OfferAct;
}

export interface PauseRequest {
  t: 'pause';
  id?: number | null;
  key?: string | null;
  g: string;
  on: boolean;
}

/** Ask for a hint. Answered with `ply`, `move`, `better` and `winning`. */
export interface HintRequest {
  t: 'hint';
  id?: number | null;
  key?: string | null;
  g: string;
}

/** The answer of the robot to `hint.asked`. */
export interface HintGiveRequest {
  t: 'hint.give';
  id?: number | null;
  key?: string | null;
  g: string;
  ply: number;
  move: string;
  better: 'b' | 'equal' | 'w';
  winning?: boolean;
}

export interface ChatRequest {
  t: 'chat';
  id?: number | null;
  key?: string | null;
  topic: string;
  text: string;
}

/** Report of the process that plays for the robots, once a second. Answered with `active`. */
export interface RobotsRequest {
  t: 'robots';
  id?: number | null;
  holder: string;
  active?: boolean;
  leaving?: boolean;
  games?: Record<string, string[]>;
  free?: number;
  least_s?: number;
  laws?: boolean;
}

/** Create a simul. */
export interface SimulCreateRequest {
  t: 'simul.create';
  id?: number | null;
  key?: string | null;
  stand_in?: string | null;
  name: string;
  tc: TimeControl;
  text?: string;
  game?: string;
  variant?: string;
  variants?: { game: string; variant: string }[] | null;
  mode?: SimulMode;
  host_color?: HostColor;
  host_tc?: HostControl;
  host_extra_s?: number;
  host_extra_per_board_s?: number;
  countdown_s?: number;
  passes?: number;
  auto_next?: boolean;
  rated?: boolean;
  fen?: string | null;
  draws?: DrawRule;
  max_boards?: number;
  min_rating?: number | null;
  max_rating?: number | null;
  guests?: boolean | null;
  members?: boolean;
  invited?: string[] | null;
  auto_accept?: boolean;
  late_join?: { move?: number | null; minutes?: number | null } | null;
  away_limit_s?: number;
  delay_s?: number;
  start_at?: number | null;
}

/** Change the settings of a simul; with `user` or `board`, those of one participant. */
export interface SimulEditRequest {
  t: 'simul.edit';
  id?: number | null;
  key?: string | null;
  simul: string;
  stand_in?: string | null;
  user?: string | null;
  board?: number | null;
  player_extra_s?: number | null;
  color?: Color | null;
  note?: string | null;
  name?: string;
  tc?: TimeControl;
  text?: string;
  game?: string;
  variant?: string;
  variants?: { game: string; variant: string }[] | null;
  mode?: SimulMode;
  host_color?: HostColor;
  host_tc?: HostControl;
  host_extra_s?: number;
  host_extra_per_board_s?: number;
  countdown_s?: number;
  passes?: number;
  auto_next?: boolean;
  rated?: boolean;
  fen?: string | null;
  draws?: DrawRule;
  max_boards?: number;
  min_rating?: number | null;
  max_rating?: number | null;
  guests?: boolean | null;
  members?: boolean;
  invited?: string[] | null;
  auto_accept?: boolean;
  late_join?: { move?: number | null; minutes?: number | null } | null;
  away_limit_s?: number;
  delay_s?: number;
  start_at?: number | null;
}

export interface SimulInviteRequest {
  t: 'simul.invite';
  id?: number | null;
  key?: string | null;
  simul: string;
  user: string;
}

export interface SimulJoinRequest {
  t: 'simul.join';
  id?: number | null;
  key?: string | null;
  simul: string;
  game?: string | null;
  variant?: string | null;
}

export interface SimulLeaveRequest {
  t: 'simul.leave';
  id?: number | null;
  key?: string | null;
  simul: string;
}

export interface SimulAcceptRequest {
  t: 'simul.accept';
  id?: number | null;
  key?: string | null;
  simul: string;
  user: string;
}

export interface SimulAcceptAllRequest {
  t: 'simul.accept_all';
  id?: number | null;
  key?: string | null;
  simul: string;
}

/** The host fills empty boards with robots of about this level. */
export interface SimulAddRobotsRequest {
  t: 'simul.add_robots';
  id?: number | null;
  key?: string | null;
  simul: string;
  level: number;
}

export interface SimulRejectRequest {
  t: 'simul.reject';
  id?: number | null;
  key?: string | null;
  simul: string;
  user: string;
}

export interface SimulKickRequest {
  t: 'simul.kick';
  id?: number | null;
  key?: string | null;
  simul: string;
  user: string;
}

export interface SimulStartRequest {
  t: 'simul.start';
  id?: number | null;
  key?: string | null;
  simul: string;
}

export interface SimulCancelRequest {
  t: 'simul.cancel';
  id?: number | null;
  key?: string | null;
  simul: string;
}

/** The host moves to a board. */
export interface SimulAtRequest {
  t: 'simul.at';
  id?: number | null;
  key?: string | null;
  simul: string;
  board: number;
}

/** The host moves to the next board. */
export interface SimulNextRequest {
  t: 'simul.next';
  id?: number | null;
  key?: string | null;
  simul: string;
}

/** The host postpones a board. */
export interface SimulLaterRequest {
  t: 'simul.later';
  id?: number | null;
  key?: string | null;
  simul: string;
  board: number;
}

/** Stop all clocks until `until`; null: resume them. */
export interface SimulBreakRequest {
  t: 'simul.break';
  id?: number | null;
  key?: string | null;
  simul: string;
  until: number | null;
}

export interface SimulAdjudicateRequest {
  t: 'simul.adjudicate';
  id?: number | null;
  key?: string | null;
  simul: string;
  g: string;
  result: Result;
}

/** End all boards: those in `boards` as given there, all others by `rest`. */
export interface SimulEndRequest {
  t: 'simul.end';
  id?: number | null;
  key?: string | null;
  simul: string;
  rest?: BoardEnd;
  boards?: Record<string, BoardEnd>;
}

/** The host lets the stand-in take over; or the stand-in who plays gives the simul back. */
export interface SimulHandOverRequest {
  t: 'simul.hand_over';
  id?: number | null;
  key?: string | null;
  simul: string;
}

/** The stand-in plays for the host, who is away or has handed over; or the host takes the simul back. */
export interface SimulTakeOverRequest {
  t: 'simul.take_over';
  id?: number | null;
  key?: string | null;
  simul: string;
}

/** Prepare a participant's move, played when the host arrives; null cancels it. */
export interface SimulPrepareRequest {
  t: 'simul.prepare';
  id?: number | null;
  key?: string | null;
  simul: string;
  g: string;
  ply: number;
  move: string | null;
}

/** Pass: the participant lets the host move on. */
export interface SimulPassRequest {
  t: 'simul.pass';
  id?: number | null;
  key?: string | null;
  simul: string;
  g: string;
}

/** Requests by type. */
export interface Requests {
  ping: PingRequest;
  sub: SubRequest;
  unsub: UnsubRequest;
  seek: SeekRequest;
  unseek: UnseekRequest;
  accept: AcceptRequest;
  challenge: ChallengeRequest;
  'challenge.accept': ChallengeAcceptRequest;
  'challenge.decline': ChallengeDeclineRequest;
  'challenge.cancel': ChallengeCancelRequest;
  'pool.join': PoolJoinRequest;
  'pool.take': PoolTakeRequest;
  'pool.leave': PoolLeaveRequest;
  move: MoveRequest;
  touch: TouchRequest;
  signal: SignalRequest;
  press: PressRequest;
  write: WriteRequest;
  sign: SignRequest;
  restart: RestartRequest;
  resign: ResignRequest;
  abort: AbortRequest;
  draw: DrawRequest;
  takeback: TakebackRequest;
  moretime: MoreTimeRequest;
  flag: FlagRequest;
  claim: ClaimRequest;
  rematch: RematchRequest;
  pause: PauseRequest;
  hint: HintRequest;
  'hint.give': HintGiveRequest;
  chat: ChatRequest;
  robots: RobotsRequest;
  'simul.create': SimulCreateRequest;
  'simul.edit': SimulEditRequest;
  'simul.invite': SimulInviteRequest;
  'simul.join': SimulJoinRequest;
  'simul.leave': SimulLeaveRequest;
  'simul.accept': SimulAcceptRequest;
  'simul.accept_all': SimulAcceptAllRequest;
  'simul.add_robots': SimulAddRobotsRequest;
  'simul.reject': SimulRejectRequest;
  'simul.kick': SimulKickRequest;
  'simul.start': SimulStartRequest;
  'simul.cancel': SimulCancelRequest;
  'simul.at': SimulAtRequest;
  'simul.next': SimulNextRequest;
  'simul.later': SimulLaterRequest;
  'simul.break': SimulBreakRequest;
  'simul.adjudicate': SimulAdjudicateRequest;
  'simul.end': SimulEndRequest;
  'simul.hand_over': SimulHandOverRequest;
  'simul.take_over': SimulTakeOverRequest;
  'simul.prepare': SimulPrepareRequest;
  'simul.pass': SimulPassRequest;
}
