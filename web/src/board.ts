/** The board as the pages see it. Chessground stands behind it and nothing else of it gets out. */

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key } from '@lichess-org/chessground/types';
import { Arrows } from './arrows';
import type { Destinations, Square } from './moves';
import type { Color } from './protocol';

export interface BoardView {
  fen: string;
  bottom: Color;
  turn: Color;
  /** Squares of the last move. */
  last: readonly Square[];
  check: boolean;
  /** Where the person may move; null when he may not. */
  destinations: Destinations | null;
  /** The side that may move ahead of its turn. */
  ahead?: Color | null;
}

/** How the person likes his board. */
export interface BoardHands {
  input: 'both' | 'drag' | 'click';
  /** How long a piece is on its way; 0 for none. */
  animation_ms: number;
}

const NAMES = { w: 'white', b: 'black' } as const;
const RIGHT = 2;

export class Board {
  readonly element = document.createElement('div');
  private readonly ground: Api;
  private readonly arrows: Arrows;
  private shown: BoardView | null = null;
  private hands: BoardHands | null = null;

  /** `onmove` is told of a piece put down by hand, with all wire moves that can mean; `ahead` was it before its turn. */
  constructor(private readonly onmove: (moves: string[], ahead: boolean) => void) {
    this.element.className = 'board';
    this.element.dataset.testid = 'board';
    this.ground = Chessground(this.element, {
      coordinates: true,
      ranksPosition: 'left',
      autoCastle: true,
      animation: { enabled: true, duration: 150 },
      movable: {
        free: false,
        showDests: true,
        events: { after: (from, to, { premove }) => this.moved(from, to, premove) },
      },
      premovable: {
        enabled: false,
        events: { set: (from, to) => this.mark(from + to), unset: () => this.mark(null) },
      },
      draggable: { enabled: true, showGhost: true },
      // Its drawing layers carry style attributes, which the Content-Security-Policy refuses.
      drawable: { enabled: false, visible: false },
    });
    this.arrows = new Arrows(this.element);
    this.element.append(this.arrows.element);
    this.element.addEventListener('mousedown', (event) => event.button === RIGHT && this.forget());
  }

  show(view: BoardView): void {
    if (this.shown && same(this.shown, view)) return;
    if (this.shown && this.shown.fen !== view.fen) this.arrows.clear();
    this.shown = view;
    this.put(view);
  }

  handle(hands: BoardHands): void {
    if (this.hands && this.hands.input === hands.input && this.hands.animation_ms === hands.animation_ms) return;
    this.hands = hands;
    this.ground.set({
      animation: { enabled: hands.animation_ms > 0, duration: hands.animation_ms },
      draggable: { enabled: hands.input !== 'click' },
      selectable: { enabled: hands.input !== 'drag' },
    });
  }

  /** Put the pieces back to what was last shown: a move made by hand does not stand. */
  restore(): void {
    if (this.shown) this.put(this.shown);
  }

  /** Drop the move that was made ahead of its turn, if there is one. */
  forget(): void {
    this.ground.cancelPremove();
  }

  close(): void {
    this.arrows.close();
    this.ground.destroy();
  }

  private put(view: BoardView): void {
    const dests = new Map<Key, Key[]>();
    view.destinations?.forEach((targets, from) => dests.set(from as Key, [...targets.keys()] as Key[]));
    const ahead = view.ahead ?? null;
    const color = view.destinations ? view.turn : ahead;
    this.element.dataset.fen = view.fen;
    this.element.dataset.bottom = view.bottom;
    this.element.dataset.movable = String(dests.size > 0);
    this.arrows.turn(view.bottom);
    this.ground.set({
      fen: view.fen,
      orientation: NAMES[view.bottom],
      turnColor: NAMES[view.turn],
      lastMove: [...view.last] as Key[],
      check: view.check && NAMES[view.turn],
      premovable: { enabled: ahead !== null },
      movable: color ? { color: NAMES[color], dests } : { dests: new Map() },
    });
    if (!color) delete this.ground.state.movable.color;
    if (dests.size > 0) this.ground.playPremove();
  }

  private mark(ahead: string | null): void {
    if (ahead === null) delete this.element.dataset.premove;
    else this.element.dataset.premove = ahead;
  }

  private moved(from: Square, to: Square, ahead: boolean): void {
    const moves = this.shown?.destinations?.get(from)?.get(to);
    // Until the server has answered; `made` lets a test wait for the piece to be down.
    this.element.dataset.movable = 'false';
    this.element.dataset.made = String(Number(this.element.dataset.made ?? 0) + 1);
    if (moves) this.onmove(moves, ahead);
  }
}

function same(a: BoardView, b: BoardView): boolean {
  return (
    a.fen === b.fen &&
    a.bottom === b.bottom &&
    a.turn === b.turn &&
    a.check === b.check &&
    a.destinations === b.destinations &&
    a.ahead === b.ahead &&
    a.last.join() === b.last.join()
  );
}
