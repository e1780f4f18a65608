/** Written by `python -m realtime.mirror` from the server's types. Not by hand. */

export const ERROR_CODES = [
  'bad_message',
  'unknown_type',
  'unauthenticated',
  'not_found',
  'forbidden',
  'conflict',
  'game_over',
  'stale_ply',
  'not_your_turn',
  'illegal_move',
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
] as const;

export type EndReason = (typeof END_REASONS)[number];

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
  settingsBytes: 4096,
  settingName: 40,
} as const;

export type Color = 'w' | 'b';

export type Result = '1-0' | '0-1' | '1/2-1/2' | '*';

export type Status = 'created' | 'live' | 'over';

export type Speed = 'bullet' | 'blitz' | 'rapid' | 'classical' | 'correspondence' | 'unlimited';

export type OfferKind = 'draw' | 'takeback' | 'rematch';

export type OfferAct = 'offer' | 'accept' | 'decline';

export type UserKind = 'guest' | 'member' | 'bot';

export type Wish = 'w' | 'b' | 'random';

export type RulesProfile = 'online' | 'fide' | 'uscf';

export type ChatRoom = 'players' | 'spectators';

export type Closed = 'accepted' | 'declined' | 'cancelled' | 'expired';

export type Setting = string | number | boolean | null;

export type TimeControl = SingleControl | PeriodsControl | DaysControl | null;

export type GameEvent = MoveEvent | OfferEvent | TakebackEvent | ClockEvent | EndEvent;

export type GameHint = Hold | Tick | Legal | Crowd;

export type LobbyEvent = LobbyAdd | LobbyGone;

export type Personal = Paired | Challenge | ChallengeGone;

/** The server speaks first. */
export interface Welcome {
  t: 'welcome';
  v: number;
  user: User | null;
  now: number;
  games: string[];
  limits: Record<string, unknown>;
}

/** A person, as everybody may see him. */
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

/** A game as one viewer may see it. */
export interface GameSnapshot {
  g: string;
  game: string;
  variant: string;
  rated: boolean;
  rules: string;
  speed: Speed;
  tc: TimeControl;
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
  legal?: string[];
  clock: Clock | null;
  offers: Offers;
  status: Status;
  result: Result;
  reason: string | null;
  watchers: number;
  simul: string | null;
  next: string | null;
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

/** One period; `moves` to make in it, or the rest of the game. No `inc_s` is 0. */
export interface Period {
  moves?: number;
  base_s: number;
  inc_s?: number;
}

/** So many days for every move. */
export interface DaysControl {
  days: number;
}

/** One side of a game. */
export interface Player {
  user: User;
  rating: number | null;
  provisional: boolean | null;
  online: boolean;
}

/** Milliseconds left on both clocks at the instant `at` (Unix ms of the server). */
export interface Clock {
  w: number;
  b: number;
  run: Color | null;
  at: number;
  delay_left?: number;
  period?: Record<Color, number>;
  moves_to_go?: Record<Color, number | null>;
  held?: string;
}

/** Whose offer of each kind is open. */
export interface Offers {
  draw: Color | null;
  takeback: Color | null;
  rematch: Color | null;
}

/** A line as it is said. */
export interface ChatMessage {
  user: User;
  text: string;
  at: number;
  t: 'chat';
  topic: string;
  room: ChatRoom;
}

/** What was said before one came; it replaces whatever the client has. */
export interface ChatLines {
  t: 'chat.lines';
  topic: string;
  room: ChatRoom;
  lines: ChatLine[];
}

/** A line that was said before. */
export interface ChatLine {
  user: User;
  text: string;
  at: number;
}

/** After `sub` to `lobby`. */
export interface LobbySnapshot {
  t: 'lobby';
  seq: number;
  seeks: Seek[];
  games: number;
  online: number;
}

/** An open seek. */
export interface Seek {
  game: string;
  variant: string;
  tc: TimeControl;
  rated: boolean;
  rules: string;
  color: Wish;
  min_rating: number | null;
  max_rating: number | null;
  seek: string;
  user: User;
  rating: number | null;
}

/** Games and people; may be lost. */
export interface LobbyCount {
  t: 'lobby.count';
  games: number;
  online: number;
}

/** What the page of a challenge's link shows; `g` is the game it led to. */
export interface ChallengeCard {
  challenge: string;
  from: User;
  to: User | null;
  game: string;
  variant: string;
  tc: TimeControl;
  rated: boolean;
  rules: string;
  fen: string | null;
  color: Wish;
  expires: number;
  status: 'open' | Closed;
  g: string | null;
}

/** A line of a list of games. */
export interface ListedGame {
  g: string;
  game: string;
  variant: string;
  rated: boolean;
  rules: string;
  speed: Speed;
  tc: TimeControl;
  players: Record<Color, Seat>;
  status: Status;
  result: Result;
  reason: string | null;
  plies: number;
  created: number;
  ended: number | null;
}

/** One side in a list of games. */
export interface Seat {
  user: User;
  rating: number | null;
  provisional: boolean | null;
}

/** `GET /api/v1/games`; `next` as `before` gives the page after it. */
export interface GamesPage {
  games: ListedGame[];
  next: string | null;
}

/** `GET /api/v1/games?live=1`. */
export interface LiveGames {
  games: LiveGame[];
  next: null;
}

/** A line of the list of games being played. */
export interface LiveGame {
  g: string;
  game: string;
  variant: string;
  rated: boolean;
  rules: string;
  speed: Speed;
  tc: TimeControl;
  players: Record<Color, Seat>;
  status: Status;
  result: Result;
  reason: string | null;
  plies: number;
  created: number;
  ended: number | null;
  position: string;
  last: string | null;
  turn: Color;
  watchers: number;
  clock: Clock | null;
}

/** `GET /api/v1/users/{name}`. */
export interface Profile {
  user: User;
  ratings: Record<string, unknown>;
  games: Results;
}

/** Finished games against others. */
export interface Results {
  won: number;
  drawn: number;
  lost: number;
  total: number;
}

/** `GET /api/v1/search`. */
export interface SearchResult {
  users: User[];
  game: string | null;
}

/** `GET` and `PUT /api/v1/me/settings`. */
export interface MySettings {
  settings: Record<string, Setting>;
}

/** `POST /api/v1/guest`. */
export interface Guest {
  token: string;
  user: User;
}

/** `GET /api/v1/me`. */
export interface Me {
  user: User;
}

/** Every answer with a status of 400 or more. */
export interface Failure {
  error: FailureBody;
}

/** What is in a failure. */
export interface FailureBody {
  code: ErrorCode;
  message: string;
}

/** A move; `san` or `pdn`, as the game's notation is. */
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

/** `plies` half-moves are taken back. */
export interface TakebackEvent {
  g: string;
  seq: number;
  t: 'takeback';
  plies: number;
  position: string;
  clock: Clock | null;
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
  ratings: Record<string, number> | null;
}

/** The clocks stand. */
export interface Hold {
  t: 'hold';
  g: string;
  why: string;
}

/** About once a second while a clock runs. */
export interface Tick {
  t: 'tick';
  g: string;
  clock: Clock;
}

/** To the player whose turn it is, if he asked for it. */
export interface Legal {
  t: 'legal';
  g: string;
  ply: number;
  legal: string[];
}

/** How many watch, which players are here, and in how many ms one who left may be claimed against. */
export interface Crowd {
  t: 'crowd';
  topic: string;
  watchers: number;
  online: Record<Color, boolean>;
  left: Record<Color, number | null>;
}

/** A new seek; numbered. */
export interface LobbyAdd {
  game: string;
  variant: string;
  tc: TimeControl;
  rated: boolean;
  rules: string;
  color: Wish;
  min_rating: number | null;
  max_rating: number | null;
  seek: string;
  user: User;
  rating: number | null;
  t: 'lobby.add';
  seq: number;
}

/** A seek that is not open any more; numbered. */
export interface LobbyGone {
  t: 'lobby.gone';
  seq: number;
  seek: string;
}

/** Pushed to a player whose game begins. */
export interface Paired {
  t: 'paired';
  g: string;
  color: Color;
  opponent: User;
}

/** Pushed to both whom it concerns. */
export interface Challenge {
  challenge: string;
  from: User;
  to: User | null;
  game: string;
  variant: string;
  tc: TimeControl;
  rated: boolean;
  rules: string;
  fen: string | null;
  color: Wish;
  expires: number;
  t: 'challenge';
}

/** Pushed to both whom it concerned. */
export interface ChallengeGone {
  t: 'challenge.gone';
  challenge: string;
  why: Closed;
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
}

export interface UnsubRequest {
  t: 'unsub';
  id?: number | null;
  topic: string;
}

/** List a wish in the lobby, or be paired at once. */
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
  to?: string | null;
  level?: number | null;
  fen?: string | null;
}

export interface ChallengeAcceptRequest {
  t: 'challenge.accept';
  id?: number | null;
  key?: string | null;
  challenge: string;
}

export interface ChallengeDeclineRequest {
  t: 'challenge.decline';
  id?: number | null;
  key?: string | null;
  challenge: string;
}

export interface ChallengeCancelRequest {
  t: 'challenge.cancel';
  id?: number | null;
  key?: string | null;
  challenge: string;
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
  do: 'offer' | 'accept' | 'decline' | 'claim';
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
  what: 'win' | 'draw';
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

export interface ChatRequest {
  t: 'chat';
  id?: number | null;
  key?: string | null;
  topic: string;
  text: string;
}

/** By their types. */
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
  move: MoveRequest;
  resign: ResignRequest;
  abort: AbortRequest;
  draw: DrawRequest;
  takeback: TakebackRequest;
  moretime: MoreTimeRequest;
  flag: FlagRequest;
  claim: ClaimRequest;
  rematch: RematchRequest;
  pause: PauseRequest;
  chat: ChatRequest;
}
