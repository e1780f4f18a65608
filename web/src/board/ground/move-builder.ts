/**
 * Builds a move on the board from the legal ones: select a piece, lead it through landings, end the move.
 *
 *     nothing --a piece that can move--> selected --a landing on the way--> led --the end--> made
 *                                        selected, led --elsewhere--> nothing
 *
 * The end may be chosen at once: the path matters only if two captures share start and end and take different pieces.
 * Then landings tell them apart; otherwise the result has all moves that remain.
 */

import type { Square } from '../../notation/pieces';
import type { MovePath } from '../core/move-path';
import type { BoardView } from '../core/play-board';

/** A path of a legal move; a capture may have several. */
export interface MoveOption extends MovePath {
  move: string;
}

export type Step =
  | { did: 'nothing' | 'took' | 'walked' | 'dropped' }
  /** All moves that it can mean, and the path of the first. */
  | { did: 'made'; moves: string[]; way: MoveOption };

const NOTHING: Step = { did: 'nothing' };

export class MoveBuilder {
  from: Square | null = null;
  /** Landings chosen so far, in order. */
  walked: readonly Square[] = [];
  private ways: readonly MoveOption[] = [];

  /** Set the legal moves, and start over. */
  begin(ways: readonly MoveOption[]): void {
    this.ways = ways;
    this.release();
  }

  /** Set the moves of the same position: a piece that can still go where it was led stays selected. */
  renew(ways: readonly MoveOption[]): void {
    this.ways = ways;
    if (this.open().length === 0) this.release();
  }

  release(): void {
    this.from = null;
    this.walked = [];
  }

  /** Whether any move is legal. */
  get any(): boolean {
    return this.ways.length > 0;
  }

  /** Squares of pieces that can move. */
  starts(): ReadonlySet<Square> {
    return new Set(this.ways.map(({ from }) => from));
  }

  /** Pieces that must move because they can capture. */
  compelled(): ReadonlySet<Square> {
    return new Set(this.ways.filter(({ taken }) => taken.length > 0).map(({ from }) => from));
  }

  /** Square of the selected piece. */
  get here(): Square | null {
    return this.walked.at(-1) ?? this.from;
  }

  /** Squares where the selected piece can end, and where it can land on the way. */
  targets(): { ends: ReadonlySet<Square>; landings: ReadonlySet<Square> } {
    const open = this.open();
    const ends = new Set(open.map(({ rest, way }) => rest.at(-1) ?? way.path.at(-1)!));
    return { ends, landings: new Set(open.flatMap(({ rest }) => rest.slice(0, -1)).filter((square) => !ends.has(square))) };
  }

  /** Captures that all remaining paths share, as far as the piece was led. */
  taking(): ReadonlySet<Square> {
    const open = this.walked.length === 0 ? [] : this.open();
    const [first, ...others] = open.map(({ way, rest }) => way.taken.slice(0, way.taken.length - rest.length));
    return new Set(first?.filter((square) => others.every((taken) => taken.includes(square))));
  }

  /** A square was clicked. */
  click(square: Square): Step {
    const step = this.go(square);
    if (step.did !== 'nothing') return step;
    const was = this.from;
    this.release();
    if (square !== was && this.starts().has(square)) {
      this.from = square;
      return { did: 'took' };
    }
    return was === null ? NOTHING : { did: 'dropped' };
  }

  /** The piece was dropped: like a click, but nothing else gets selected. */
  go(square: Square): Step {
    if (this.from === null) return NOTHING;
    const open = this.open();
    // Clicked again where it stands: the move ends here.
    const arrived = square === this.walked.at(-1) ? open.filter(({ rest }) => rest.length === 0) : [];
    if (arrived.length > 0) return this.made(arrived.map(({ way }) => way));
    const ending = open.filter(({ rest }) => rest.at(-1) === square);
    const passing = open.filter(({ rest }) => rest.slice(0, -1).includes(square));
    if (passing.length === 0 && ending.length === 0) return NOTHING;
    if (passing.length === 0) return this.made(ending.map(({ way }) => way));
    this.walked = [...this.walked, square];
    return { did: 'walked' };
  }

  private made(ways: readonly MoveOption[]): Step {
    const [way] = ways;
    return { did: 'made', moves: [...new Set(ways.map(({ move }) => move))], way: way! };
  }

  /** Paths that continue the landings so far, and the rest of each. */
  private open(): { way: MoveOption; rest: readonly Square[] }[] {
    return this.ways.flatMap((way) => {
      if (way.from !== this.from) return [];
      let at = 0;
      for (const square of this.walked) {
        const next = way.path.indexOf(square, at);
        if (next < 0) return [];
        at = next + 1;
      }
      return { way, rest: way.path.slice(at) };
    });
  }
}

/** All paths of the legal moves; a plain move has a path of one step. */
export function moveOptions({ destinations, leaps }: BoardView): MoveOption[] {
  return [...(destinations ?? [])].flatMap(([from, targets]) =>
    [...targets].flatMap(([to, moves]) =>
      moves.flatMap((move): MoveOption[] => {
        const ways = (leaps?.[move] ?? []).filter(({ taken }) => taken.length > 0);
        return ways.length === 0 ? [{ move, from, path: [to], taken: [] }] : ways.map(({ path, taken }) => ({ move, from, path, taken }));
      }),
    ),
  );
}
