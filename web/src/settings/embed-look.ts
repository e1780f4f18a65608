/** Appearance of an embedded game, from its address: the embedding page chooses it. */

import type { Color } from '../net/protocol';
import { RULES, type Rule, type Settings } from './settings';

export interface EmbedLook {
  theme: Settings['theme'];
  board: Settings['boardTheme'];
  pieces: Settings['pieceSet'];
  /** Null: the host's side at a board of a simul, else White's. */
  bottom: Color | null;
}

/** Values of the address; defaults for invalid ones. */
export function embedLookOf(values: { get(name: string): string | null }): EmbedLook {
  const chosen = <T>({ accepts, initial }: Rule<T>, name: string): T => {
    const value = values.get(name);
    return accepts(value) ? value : initial;
  };
  return {
    theme: chosen(RULES.theme, 'theme'),
    board: chosen(RULES.boardTheme, 'board'),
    pieces: chosen(RULES.pieceSet, 'pieces'),
    bottom: values.get('bottom') === 'b' ? 'b' : values.get('bottom') === 'w' ? 'w' : null,
  };
}

export function applyEmbedLook({ theme, board, pieces }: EmbedLook, { dataset }: HTMLElement): void {
  dataset.theme = theme;
  dataset.board = board;
  dataset.pieceSet = pieces;
}

/** Size in pixels: the board with its players. */
export const FRAME = { width: 400, height: 480 };

/** The HTML that embeds the game. */
export function snippet(origin: string, g: string, title: string, looks: Pick<EmbedLook, 'theme' | 'board' | 'bottom'>): string {
  const params = new URLSearchParams();
  if (looks.theme !== RULES.theme.initial) params.set('theme', looks.theme);
  if (looks.board !== RULES.boardTheme.initial) params.set('board', looks.board);
  if (looks.bottom !== null) params.set('bottom', looks.bottom);
  const query = params.toString();
  const address = `${origin}/embed/game/${g}${query && `?${query}`}`;
  const { width, height } = FRAME;
  return `<iframe src="${quoted(address)}" width="${width}" height="${height}" title="${quoted(title)}" style="border:0" allow="fullscreen" loading="lazy"></iframe>`;
}

const quoted = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);
