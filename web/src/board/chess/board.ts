/** The chess board: a wrapper of Chessground. */

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import { premove } from '@lichess-org/chessground/premove';
import type { Key } from '@lichess-org/chessground/types';
import { opposite } from '../../notation/color';
import type { Square } from '../../notation/pieces';
import { squares } from '../../notation/uci';
import { Arrows } from '../core/arrows';
import type { BoardOptions, BoardView, OnMove, PlayBoard, PremoveOptions } from '../core/play-board';

const NAMES = { w: 'white', b: 'black' } as const;
const RIGHT = 2;

export class ChessBoard implements PlayBoard {
  private readonly ground: Api;
  private readonly arrows: Arrows;
  private shown: BoardView | null = null;
  private options: BoardOptions | null = null;
  /** Promotion of the premove; empty if not chosen. */
  private letter = { of: '', is: '' };
  /** A premove whose turn has come: Chessground reports it a moment later. */
  private coming: string | null = null;
  /** The last known premove; `soon`: it was made on the person's own turn, in the moment before they may move. */
  private early: { keys: readonly Key[] | undefined; soon: boolean } = { keys: undefined, soon: false };

  constructor(
    private readonly element: HTMLElement,
    private readonly onmove: OnMove,
  ) {
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
      // Its drawing layers use style attributes, which the Content-Security-Policy forbids.
      drawable: { enabled: false, visible: false },
    });
    this.arrows = new Arrows(this.element);
    // Chessground caches the board's position until the window resizes, but elements above may come and go.
    this.element.addEventListener('pointerdown', () => this.ground.state.dom.bounds.clear(), { capture: true });
    this.element.addEventListener('mousedown', (event) => event.button === RIGHT && this.cancelPremove());
  }

  show(view: BoardView): void {
    // A hint alone leaves a piece where it was dropped, as for a promotion, or is dragged.
    this.arrows.suggest(view.hint);
    if (this.shown && same(this.shown, view)) return;
    if (this.shown && this.shown.fen !== view.fen) this.arrows.clear();
    if (this.shown === null) this.begin(view);
    this.noteEarly();
    this.shown = view;
    this.put(view);
  }

  /** A premove that is new was made in the view shown until now. Chessground's own event comes too late. */
  private noteEarly(): void {
    const keys = this.ground.state.premovable.current;
    if (keys !== undefined && keys !== this.early.keys) this.early = { keys, soon: this.shown?.soon === true };
  }

  /** Set the first position without animation. */
  private begin({ fen }: BoardView): void {
    const { animation } = this.ground.state;
    const { enabled } = animation;
    animation.enabled = false;
    this.ground.set({ fen });
    animation.enabled = enabled;
  }

  setOptions(hands: BoardOptions): void {
    if (this.options && this.options.input === hands.input && this.options.animation_ms === hands.animation_ms) return;
    this.options = hands;
    this.ground.set({
      animation: { enabled: hands.animation_ms > 0, duration: hands.animation_ms },
      draggable: { enabled: hands.input !== 'click' },
      selectable: { enabled: hands.input !== 'drag' },
    });
  }

  restore(): void {
    this.noteEarly();
    if (this.shown) this.put(this.shown);
  }

  cancelPremove(): void {
    this.letter = { of: '', is: '' };
    this.ground.cancelPremove();
  }

  get premove(): string | null {
    return this.ground.state.premovable.current?.join('') ?? this.coming;
  }

  premoveOptions(): PremoveOptions | null {
    const { shown } = this;
    const color = shown?.premoveColor ?? null;
    if (shown === null || color === null || (color === shown.turn && !shown.soon)) return null;
    const { state } = this.ground;
    const moves = [...state.pieces].flatMap(([from, piece]) =>
      piece.color === NAMES[color]
        ? this.premovesFrom(from).flatMap((to) => {
            const promotes = piece.role === 'pawn' && /[18]$/.test(to);
            return promotes ? [...(shown.promotions ?? 'qrbn')].map((letter) => from + to + letter) : [from + to];
          })
        : [],
    );
    return { moves, position: shown.fen };
  }

  setPremove(move: string): boolean {
    const [from, to] = squares(move) as [Key, Key];
    this.cancelPremove();
    this.ground.selectSquare(null);
    this.ground.selectSquare(from, true);
    this.ground.selectSquare(to, true);
    this.letter = { of: from + to, is: move.slice(4) };
    return this.premove === from + to;
  }

  close(): void {
    this.arrows.close();
    this.ground.destroy();
  }

  /** Premove targets. For kings that castle from anywhere Chessground knows only the rooks. */
  private premovesFrom(from: Key): Key[] {
    const { state } = this.ground;
    const targets = premove(state, from);
    const king = state.pieces.get(from);
    const home = king?.color === 'white' ? '1' : '8';
    if (king?.role !== 'king' || from[1] !== home || !this.shown?.castlesAnywhere) return targets;
    const isOwnRook = (square: Key) => {
      const piece = state.pieces.get(square);
      return piece?.role === 'rook' && piece.color === king.color && square[1] === home;
    };
    const castled = targets.filter(isOwnRook).map((rook) => ((rook > from ? 'g' : 'c') + home) as Key);
    return [...new Set([...targets, ...castled])].filter((to) => to !== from);
  }

  private put(view: BoardView): void {
    const dests = new Map<Key, Key[]>();
    view.destinations?.forEach((targets, from) => dests.set(from as Key, [...targets.keys()] as Key[]));
    const ahead = view.premoveColor ?? null;
    const color = view.destinations ? view.turn : ahead;
    this.element.dataset.fen = view.fen;
    this.element.dataset.bottom = view.bottom;
    this.element.dataset.movable = String(dests.size > 0);
    this.arrows.turn(view.bottom);
    this.ground.set({
      fen: view.fen,
      orientation: NAMES[view.bottom],
      // Chessground premoves on the opponent's turn only.
      turnColor: NAMES[view.soon ? opposite(view.turn) : view.turn],
      lastMove: [...view.last] as Key[],
      highlight: { custom: new Map(view.marks as ReadonlyMap<Key, string> | undefined) },
      check: view.check && NAMES[view.turn],
      premovable: { enabled: ahead !== null },
      movable: { showDests: view.hidesTargets !== true, ...(color ? { color: NAMES[color], dests } : { dests: new Map() }) },
    });
    // Chessground empties its element when the board flips.
    if (this.arrows.element.parentNode !== this.element) this.element.append(this.arrows.element);
    if (!color) delete this.ground.state.movable.color;
    this.allowAhead(ahead !== null && (view.castlesAnywhere ?? false));
    if (dests.size === 0) return;
    const { premove: waiting } = this;
    if (this.ground.playPremove()) this.coming = waiting;
  }

  /** Chessground's own premoves, or those of `premovesFrom`. */
  private allowAhead(anywhere: boolean): void {
    const { state } = this.ground;
    if (anywhere) state.premovable.customDests = new Map([...state.pieces.keys()].map((from) => [from, this.premovesFrom(from)]));
    else delete state.premovable.customDests;
  }

  private mark(ahead: string | null): void {
    if (ahead === null) delete this.element.dataset.premove;
    else this.element.dataset.premove = ahead;
  }

  private moved(from: Square, to: Square, ahead: boolean): void {
    const known = this.shown?.destinations?.get(from)?.get(to);
    const letter = ahead && this.letter.of === from + to ? this.letter.is : '';
    this.coming = null;
    const moves = known?.filter((move) => move.length < 5 || move.endsWith(letter));
    // Until the server answers. Tests wait for `made`.
    this.element.dataset.movable = 'false';
    this.element.dataset.made = String(Number(this.element.dataset.made ?? 0) + 1);
    if (moves) this.onmove(moves, ahead && !this.early.soon);
  }
}

function same(a: BoardView, b: BoardView): boolean {
  return (
    a.fen === b.fen &&
    a.bottom === b.bottom &&
    a.turn === b.turn &&
    a.check === b.check &&
    a.destinations === b.destinations &&
    a.premoveColor === b.premoveColor &&
    a.marks === b.marks &&
    a.soon === b.soon &&
    a.last.join() === b.last.join()
  );
}
