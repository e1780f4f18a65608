/** A game with variations as a tree of moves. */

import { played } from '../board/chess/position';
import type { Color, ImportedLine, ImportedMove } from '../net/protocol';
import { opposite } from '../notation/color';
import { placement, type Placement } from '../notation/pieces';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export interface Node {
  /** Null before the first move. */
  readonly move: ImportedMove | null;
  readonly parent: Node | null;
  /** The next move, then the variations to it. */
  readonly next: Node[];
  /** Half-moves so far, 1 for the first move. */
  readonly ply: number;
}

export class Score {
  readonly start: Node = { move: null, parent: null, next: [], ply: 0 };
  private readonly nodes = new Map<ImportedMove, Node>();
  private readonly boards = new Map<Node, Placement>();
  private readonly first: { turn: Color; number: number };

  /** `fen`: start position; null for the usual one. */
  constructor(
    fen: string | null,
    readonly line: ImportedLine,
  ) {
    const parts = (fen ?? START).split(' ');
    this.first = { turn: parts[1] === 'b' ? 'b' : 'w', number: Number(parts[5]) || 1 };
    this.boards.set(this.start, placement(fen ?? START));
    this.grow(line, this.start);
  }

  /** The node after `move`, which is of this game. */
  after(move: ImportedMove): Node {
    return this.nodes.get(move)!;
  }

  /** The pieces at `node`. */
  board(node: Node): Placement {
    const way: Node[] = [];
    let known: Node = node;
    while (!this.boards.has(known)) {
      way.push(known);
      known = known.parent!;
    }
    let board = this.boards.get(known)!;
    for (const step of way.reverse()) {
      board = played(board, step.move!.move);
      this.boards.set(step, board);
    }
    return board;
  }

  /** The side to move. */
  turn({ ply }: Node): Color {
    return ply % 2 === 0 ? this.first.turn : opposite(this.first.turn);
  }

  /** The move number and its side: `12.` for White's move, `12…` for Black's. */
  number(node: Node): string {
    const plies = node.ply - 1 + (this.first.turn === 'b' ? 1 : 0);
    return `${this.first.number + Math.floor(plies / 2)}${this.turn(node) === 'b' ? '.' : '…'}`;
  }

  /** Clock of each side after its last move up to `node`, in ms; null if not recorded. */
  clocks(node: Node): Record<Color, number | null> {
    const found: Record<Color, number | null> = { w: null, b: null };
    const sought = new Set<Color>(['w', 'b']);
    for (let at: Node | null = node; at?.move && sought.size > 0; at = at.parent) {
      const mover = opposite(this.turn(at));
      const { clock } = at.move;
      if (clock === undefined || !sought.delete(mover)) continue;
      found[mover] = clock;
    }
    return found;
  }

  /** The end of the line that goes on from `node`. */
  end(node: Node): Node {
    let at = node;
    while (at.next[0]) at = at.next[0];
    return at;
  }

  private grow(line: ImportedLine, from: Node): void {
    let at = from;
    for (const move of line.moves) {
      const node: Node = { move, parent: at, next: [], ply: at.ply + 1 };
      at.next.push(node);
      this.nodes.set(move, node);
      for (const variation of move.variations ?? []) this.grow(variation, at);
      at = node;
    }
  }
}

/** The node that a key leads to; null if the key does nothing. */
export function step(score: Score, node: Node, key: string): Node | null {
  const beside = (by: number) => {
    const among = node.parent?.next ?? [];
    return among[among.indexOf(node) + by] ?? null;
  };
  switch (key) {
    case 'ArrowLeft':
      return node.parent;
    case 'ArrowRight':
      return node.next[0] ?? null;
    case 'ArrowDown':
      return beside(1);
    case 'ArrowUp':
      return beside(-1);
    case 'Home':
      return score.start;
    case 'End':
      return score.end(node);
    default:
      return null;
  }
}
