/** Sets the appearance settings as data attributes, which the style sheets use. */

import { reducesMotion, type Settings } from './settings';

export function applyAppearance(settings: Settings, root: HTMLElement): void {
  const { dataset } = root;
  dataset.theme = settings.theme;
  dataset.board = settings.boardTheme;
  dataset.pieceSet = settings.pieceSet;
  dataset.pieceColours = settings.pieceColours;
  dataset.coordinates = settings.coordinates;
  dataset.still = String(reducesMotion(settings));
}
