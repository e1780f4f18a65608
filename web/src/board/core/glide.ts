/** Pieces of view-only boards glide when they have moved, but not when the board changes its size. */

/** Call before `piece` is put elsewhere: the style sheet gives it a transition. */
export function glides(piece: HTMLElement): void {
  piece.dataset.moved = '';
}

/** Call once for each board. */
export function stopsGliding(board: HTMLElement): void {
  board.addEventListener('transitionend', ({ target }) => {
    delete (target as HTMLElement).dataset.moved;
  });
}
