/** The settings that style sheets follow, as data attributes of the root element. */

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
