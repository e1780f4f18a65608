/** A finished game that replays itself on a small board, a move a second. It can stand still, at its end or where it was paused. */

import type { GameKind } from '../board/core/game-kind';
import { kindOf } from '../board/kinds';
import { Replay } from '../board/replay';
import { PlyNavigation } from '../game/replay/ply-navigation';
import { Replayer } from '../game/replay/replayer';
import type { GameSnapshot } from '../net/protocol';
import { clockThen, moverOf } from '../state/move-times';
import { Resource } from '../ui/resource';
import { miniOfGame, type Mini } from './mini';

/** How long the starting position is shown. */
const BEGIN_MS = 1_000;

export class ReplayedGame {
  private readonly resource: Resource<GameSnapshot>;
  private readonly navigation: PlyNavigation;
  private readonly replayer: Replayer;
  private kind: GameKind | null = null;
  private replay: Replay | null = null;
  private begins: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  /** Whether a move was shown: until then a game that stands still is shown as it ended. */
  private begun = false;
  /** It cannot be shown. */
  missing = false;

  /** `moves`: it goes on by itself. */
  constructor(
    g: string,
    private moves: boolean,
    private readonly changed: () => void,
  ) {
    this.navigation = new PlyNavigation(changed);
    this.replayer = new Replayer(this.navigation, changed);
    this.resource = new Resource(`/api/v1/games/${g}`, () => void this.loaded());
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.begins);
    this.resource.close();
    this.replayer.close();
  }

  /** Whether the end was reached, or there is nothing to show. One that stands still goes on for ever. */
  done(): boolean {
    return this.missing || (this.moves && this.replayer.done);
  }

  /** Go on, or stand still. */
  setMoves(moves: boolean): void {
    if (moves === this.moves) return;
    this.moves = moves;
    clearTimeout(this.begins);
    if (moves) this.play();
    else this.replayer.pause();
  }

  /** The displayed position; null while it is loaded. */
  now(): Mini | null {
    const { kind, replay } = this;
    const game = this.resource.value;
    if (game === null || kind === null || replay === null) return null;
    const ply = this.navigation.ply(game.moves.length);
    // The result is told at the end only.
    if ((!this.moves && !this.begun) || (ply === game.moves.length && this.replayer.done)) return miniOfGame(game);
    const turn = moverOf(game, ply + 1);
    const position = kind.write(replay.at(ply, game.moves, game.leaps, game.laws?.positions), turn);
    const clock = clockThen(game, ply, 0);
    const then = { position, turn, ply, last: game.moves[ply - 1] ?? null, clock: clock && { ...clock, run: null } };
    return { ...miniOfGame(game), ...then, status: 'live', result: '*' };
  }

  private async loaded(): Promise<void> {
    const game = this.resource.value;
    if (game === null || this.kind !== null) {
      this.missing ||= this.resource.state === 'missing';
      return;
    }
    try {
      this.kind = await kindOf(game);
    } catch {
      // Its board could not be loaded: another game follows.
      this.missing = true;
      return;
    }
    if (this.closed) return;
    this.replay = new Replay(game.fen, this.kind);
    this.navigation.begin(0, game.moves.length);
    if (this.moves) this.begins = setTimeout(() => this.play(), BEGIN_MS);
    this.changed();
  }

  private play(): void {
    const game = this.resource.value;
    if (game === null || this.replay === null) return;
    this.begun = true;
    // Without its times: nobody waits through the long thinks of a game that is over.
    this.replayer.play({ ...game, times: [] });
  }
}
