/** What happens in a game by the Laws, in words: rulings, and what is told to those who cannot see the board. */

import type { App } from '../../app';
import type { Color, GameEvent, GameMessage, GameSnapshot } from '../../net/protocol';
import { tellNotation, withinSentence } from '../../notation/tell-move';
import { writePlain } from '../../notation/write-move';
import { sayLaws } from '../../words/laws';
import { SIDES } from '../../words/words';
import type { GameParts } from '../view/layout';
import { tellRuling, writeMade } from './rulings';

type Event<T> = Extract<GameEvent, { t: T }>;

export class News {
  /** The last ruling, until the game goes on; empty if there is none. */
  ruling = '';
  /** How the last move was written, before it was taken back. */
  private taken = '';
  /** The intended move of a wrong claim is made at once: the ruling stays. */
  private isWrongClaim = false;

  constructor(
    private readonly app: App,
    private readonly parts: Pick<GameParts, 'access' | 'mover' | 'seat'>,
  ) {}

  /** A message has led from `was` to `now`. */
  take(message: GameMessage, was: GameSnapshot, now: GameSnapshot): void {
    if (message.t === 'takeback') this.taken = was.notation.at(-1) ?? '';
    else if (message.t === 'move') this.ruling = '';
    else if (message.t === 'ruling') this.ruled(message, was, now);
    else if (message.t === 'made') this.made(message);
    else if (message.t === 'touch' && !this.isOwn(message.by)) this.tell(sayLaws('told.touch', { side: SIDES[message.by], what: message.square }));
    else if (message.t === 'signal' && !this.isOwn(message.by)) this.tell(sayLaws(message.on ? 'told.adjust' : 'told.adjusted', { side: SIDES[message.by] }));
    else if (message.t === 'seated' && !this.isOwn(message.by)) this.tell(sayLaws('told.seated', { side: SIDES[message.by] }));
  }

  private ruled(event: Event<'ruling'>, was: GameSnapshot, now: GameSnapshot): void {
    const text = event.move === null ? '' : this.taken || this.written(was, event.move);
    this.ruling = tellRuling(event, now, text);
    this.isWrongClaim = event.what === 'wrong_claim' && event.move !== null;
    this.taken = '';
    this.tell(this.ruling);
    this.app.sounds.play('low');
  }

  private made({ by, draw, move, san, pdn }: Event<'made'>): void {
    if (!this.isWrongClaim) this.ruling = '';
    this.isWrongClaim = false;
    const told = tellNotation(move, san ?? pdn ?? move, withinSentence(this.app.settings.now)).text;
    if (this.isOwn(by)) return this.tell(sayLaws('told.made.you', { move: told }));
    const offer = draw ? ` ${sayLaws('told.draw', { side: SIDES[by] })}` : '';
    this.tell(sayLaws('told.made', { side: SIDES[by], move: told }) + offer);
  }

  /** `move` as it was made, or as it was intended. */
  private written(game: GameSnapshot, move: string): string {
    const writing = this.app.settings.now;
    if (game.laws?.made?.move === move) return writeMade(game, move, writing);
    return writePlain(move, this.parts.mover.gameBoard.at(game.moves.length, game), writing);
  }

  /** Whether the person plays this side alone. */
  private isOwn(by: Color): boolean {
    return this.parts.seat.side() === by;
  }

  private tell(text: string): void {
    this.parts.access.notice(text);
  }
}
