/**
 * A move put together on the board, from the list of legal ones: a piece taken up, landings it is led through, its end.
 *
 *     nothing --a piece that may move--> taken up --a landing on the way--> walking --the end--> made
 *                                        taken up, walking --elsewhere--> nothing
 *
 * The end may be named at once: which way it goes matters only where two captures share start and end and take
 * different pieces. Then landings tell them apart, or else who asks is told all that are left.
 */

import type { Square } from '../../notation/pieces';
import type { MovePath } from '../core/move-path';
import type { BoardView } from '../core/play-board';

/** One way of a legal move: as there may be several of a capture. */
export interface MoveOption extends MovePath {
  move: string;
}

export type Step =
  | { did: 'nothing' | 'took' | 'walked' | 'dropped' }
  /** All moves that it can mean, and the way of the first of them. */
  | { did: 'made'; moves: string[]; way: MoveOption };

const NOTHING: Step = { did: 'nothing' };

export class MoveBuilder {
  from: Square | null = null;
  /** Landings that were named, in their order. */
  walked: readonly Square[] = [];
  private ways: readonly MoveOption[] = [];

  /** What is legal now; what was being put together is dropped. */
  begin(ways: readonly MoveOption[]): void {
    this.ways = ways;
    this.release();
  }

  release(): void {
    this.from = null;
    this.walked = [];
  }

  /** Whether anything may be moved. */
  get any(): boolean {
    return this.ways.length > 0;
  }

  /** From where a piece may move. */
  starts(): ReadonlySet<Square> {
    return new Set(this.ways.map(({ from }) => from));
  }

  /** The pieces that must move because they can take. */
  compelled(): ReadonlySet<Square> {
    return new Set(this.ways.filter(({ taken }) => taken.length > 0).map(({ from }) => from));
  }

  /** Where the piece in the hand stands. */
  get here(): Square | null {
    return this.walked.at(-1) ?? this.from;
  }

  /** Where the piece in the hand may end, and where it may land on the way there. */
  targets(): { ends: ReadonlySet<Square>; landings: ReadonlySet<Square> } {
    const open = this.open();
    const ends = new Set(open.map(({ rest, way }) => rest.at(-1) ?? way.path.at(-1)!));
    return { ends, landings: new Set(open.flatMap(({ rest }) => rest.slice(0, -1)).filter((square) => !ends.has(square))) };
  }

  /** What the piece takes whichever way it goes on, as far as it has been led. */
  taking(): ReadonlySet<Square> {
    const open = this.walked.length === 0 ? [] : this.open();
    const [first, ...others] = open.map(({ way, rest }) => way.taken.slice(0, way.taken.length - rest.length));
    return new Set(first?.filter((square) => others.every((taken) => taken.includes(square))));
  }

  /** A place was clicked. */
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

  /** The piece in the hand was put down there: as a click, but nothing else is taken up. */
  go(square: Square): Step {
    if (this.from === null) return NOTHING;
    const open = this.open();
    // Once more where it stands: here it is to end.
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

  /** Ways that begin as the piece was led, and what is left of each. */
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

/** All ways of the legal moves; what is no capture goes straight to its end. */
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
