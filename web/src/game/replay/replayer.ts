/** Replays a finished game, each move after the time it took. */

import { html, type TemplateResult } from 'lit-html';
import type { GameSnapshot } from '../../net/protocol';
import { clockThen, spent_ms } from '../../state/move-times';
import { icon } from '../../ui/icons';
import { say } from '../../words/words';
import type { PlyNavigation } from './ply-navigation';

export const PACES = [1, 2, 4] as const;
export type Pace = (typeof PACES)[number];

export class Replayer {
  playing = false;
  /** The replay has reached the end. */
  done = false;
  pace: Pace = 1;
  /** Whether the clock of the side to move runs between two moves. */
  private clocksRun = true;
  private game: GameSnapshot | null = null;
  /** The displayed half-move, and since when. */
  private shown = 0;
  private since = 0;
  private waits: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly navigation: PlyNavigation,
    private readonly changed: () => void,
    private readonly now = () => performance.now(),
  ) {}

  close(): void {
    clearTimeout(this.waits);
  }

  /** From the displayed position, or from the start if that is the end. */
  play(game: GameSnapshot, { clocksRun = true } = {}): void {
    const plies = game.moves.length;
    this.clocksRun = clocksRun;
    this.game = game;
    this.playing = true;
    this.done = false;
    const from = this.navigation.ply(plies);
    this.arrive(from);
    if (from === plies && plies > 0) {
      this.shown = 0;
      this.navigation.go(0, plies);
    }
    this.wait();
    this.changed();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.waits);
    this.changed();
  }

  set(pace: Pace): void {
    // The time so far has passed at the old speed.
    this.since = this.now() - this.thought_ms() / pace;
    this.pace = pace;
    if (this.playing) this.wait();
    this.changed();
  }

  /** Call on each draw, with the board after `shown` half-moves. The person may step meanwhile. */
  sync(game: GameSnapshot, shown: number): void {
    if (shown === this.shown && this.game === game) return;
    const moved = shown !== this.shown;
    this.game = game;
    if (moved) this.arrive(shown);
    if (this.playing && game.status !== 'over') this.pause();
    else if (this.playing && moved) this.wait();
  }

  /** The game with the clocks of the displayed half-move. */
  withClocks(game: GameSnapshot, shown: number): GameSnapshot {
    if (game.status !== 'over' || shown >= game.moves.length) return game;
    const run = this.playing && this.clocksRun;
    const clock = clockThen(game, shown, run ? this.thought_ms() : 0);
    return clock === null ? game : { ...game, status: run ? 'live' : 'over', clock };
  }

  /** Null unless the game is over and has moves. */
  draw(game: GameSnapshot): TemplateResult | null {
    if (game.status !== 'over' || game.moves.length < 2) return null;
    const label = say(this.playing ? 'replay.pause' : 'replay.play');
    return html`<div class="replay" role="group" aria-label=${say('replay.title')} data-testid="replay" data-playing=${String(this.playing)}>
      <button class="plain" data-testid="replay-play" aria-label=${label} title=${label} @click=${() => (this.playing ? this.pause() : this.play(game))}>
        ${icon(this.playing ? 'pause' : 'play')}<span>${say('replay.title')}</span>
      </button>
      ${PACES.map(
        (pace) =>
          html`<button
            class="plain pace"
            data-testid="pace-${pace}"
            aria-pressed=${String(this.pace === pace)}
            aria-label=${called(pace)}
            title=${called(pace)}
            @click=${() => this.set(pace)}
          >
            ${say('replay.pace', { n: pace })}
          </button>`,
      )}
    </div>`;
  }

  /** Time the next move has taken so far, in game time. */
  private thought_ms(): number {
    return (this.now() - this.since) * this.pace;
  }

  private arrive(shown: number): void {
    this.shown = shown;
    this.since = this.now();
  }

  /** Wait for the next move. */
  private wait(): void {
    clearTimeout(this.waits);
    const { game, shown } = this;
    if (game === null) return;
    const plies = game.moves.length;
    if (shown >= plies) {
      this.playing = false;
      this.done = true;
      return;
    }
    const left_ms = (spent_ms(game, shown + 1) - this.thought_ms()) / this.pace;
    this.waits = setTimeout(() => {
      this.arrive(shown + 1);
      this.navigation.go(shown + 1, plies);
      this.wait();
      if (!this.playing) this.changed();
    }, Math.max(0, left_ms));
  }
}

const called = (pace: Pace): string => (pace === 1 ? say('replay.real') : say('replay.times', { n: pace }));
