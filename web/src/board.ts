/** The board as the pages see it. Chessground stands behind it and nothing else of it gets out. */

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key } from '@lichess-org/chessground/types';
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
}

const NAMES = { w: 'white', b: 'black' } as const;

export class Board {
  readonly element = document.createElement('div');
  private readonly ground: Api;
  private shown: BoardView | null = null;

  /** `onmove` is told of a piece put down by hand, with all wire moves that can mean. */
  constructor(private readonly onmove: (moves: string[]) => void) {
    this.element.className = 'board';
    this.element.dataset.testid = 'board';
    this.ground = Chessground(this.element, {
      coordinates: true,
      ranksPosition: 'left',
      autoCastle: true,
      animation: { enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 150 },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.moved(from, to) } },
      premovable: { enabled: false },
      draggable: { enabled: true, showGhost: true },
      // Its drawing layers carry style attributes, which the Content-Security-Policy refuses.
      drawable: { enabled: false, visible: false },
    });
  }

  show(view: BoardView): void {
    if (this.shown && same(this.shown, view)) return;
    this.shown = view;
    this.put(view);
  }

  /** Put the pieces back to what was last shown: a move made by hand does not stand. */
  restore(): void {
    if (this.shown) this.put(this.shown);
  }

  close(): void {
    this.ground.destroy();
  }

  private put(view: BoardView): void {
    const dests = new Map<Key, Key[]>();
    view.destinations?.forEach((targets, from) => dests.set(from as Key, [...targets.keys()] as Key[]));
    this.element.dataset.fen = view.fen;
    this.element.dataset.bottom = view.bottom;
    this.element.dataset.movable = String(dests.size > 0);
    this.ground.set({
      fen: view.fen,
      orientation: NAMES[view.bottom],
      turnColor: NAMES[view.turn],
      lastMove: [...view.last] as Key[],
      check: view.check && NAMES[view.turn],
      movable: view.destinations ? { color: NAMES[view.turn], dests } : { dests: new Map() },
    });
  }

  private moved(from: Square, to: Square): void {
    const moves = this.shown?.destinations?.get(from)?.get(to);
    // Until the server has answered; `made` lets a test wait for the piece to be down.
    this.element.dataset.movable = 'false';
    this.element.dataset.made = String(Number(this.element.dataset.made ?? 0) + 1);
    if (moves) this.onmove(moves);
  }
}

function same(a: BoardView, b: BoardView): boolean {
  return (
    a.fen === b.fen &&
    a.bottom === b.bottom &&
    a.turn === b.turn &&
    a.check === b.check &&
    a.destinations === b.destinations &&
    a.last.join() === b.last.join()
  );
}
