/** Icons of buttons: 24 by 24, in the colour of the text. */

import { html, type TemplateResult } from 'lit-html';

const PATHS = {
  back: 'M9 6 4 11l5 5M4 11h9a6 6 0 0 1 0 12h-2',
  first: 'M6 5v14M18 6l-8 6 8 6z',
  previous: 'M16 6l-8 6 8 6z',
  following: 'M8 6l8 6-8 6z',
  last: 'M18 5v14M6 6l8 6-8 6z',
  half: 'M5 4v7M3 6l2-2M19 4 6 20M14 15c0-4 6-3 5 0-.5 2-4 3-5 5h5.500',
  flag: 'M6 22V3M6 4c5-3 7 3 13 0v10c-6 3-8-3-13 0',
  cross: 'M5 5l14 14M19 5 5 19',
  yes: 'M4 12l6 6L20 6',
  cup: 'M7 4h10v5a5 5 0 0 1-10 0zM7 5H4c0 4 1 5 3.500 5M17 5h3c0 4-1 5-3.500 5M12 14v4M8 20h8',
  people: 'M9 4a3 3 0 1 0 .01 0M3 19c0-4 2.500-6 6-6s6 2 6 6M16 5a2.500 2.500 0 1 1 .01 5M17 13c2.500 0 4 2 4 5',
  home: 'M4 11l8-7 8 7M6 10v10h12V10',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 5v14l11-7z',
  again: 'M20 12a8 8 0 1 1-2.500-5.800M20 3v5h-5',
  turn: 'M7 20V5M3 9l4-4 4 4M17 4v15M13 15l4 4 4-4',
  share: 'M12 15V3M8 7l4-4 4 4M5 12v9h14v-9',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5M14 5l-4 14',
  save: 'M12 3v12M8 11l4 4 4-4M4 20h16',
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  search: 'M10 4a6 6 0 1 0 .01 0M14.500 14.500 20 20',
  funnel: 'M3 5h18l-7 8v6l-4 2v-8z',
  eye: 'M3 12s3.500-6 9-6 9 6 9 6-3.500 6-9 6-9-6-9-6zM12 9.500a2.500 2.500 0 1 0 .01 0',
  loud: 'M4 9v6h4l5 4V5L8 9zM16 9c1.500 1.500 1.500 4.500 0 6M18.500 6.500c3 3 3 8 0 11',
  chat: 'M4 5h16v11H11l-5 4v-4H4zM8 9h8M8 12h5',
  bell: 'M5 17h14c-1.5-1.5-2-3-2-6a5 5 0 0 0-10 0c0 3-.5 4.5-2 6zM10 20a2.2 2.2 0 0 0 4 0',
  pawn: 'M12 3.5a3.5 3.5 0 1 0 .01 0M9 11h6M10.5 11c0 4-1.5 5.5-3.5 9h10c-2-3.5-3.5-5-3.5-9',
  person: 'M12 4a4 4 0 1 0 .01 0M4.5 20c1-4 4-6 7.5-6s6.5 2 7.5 6',
  plus: 'M12 5v14M5 12h14',
  hand: 'M8 12V6a1.500 1.500 0 0 1 3 0v5V4.500a1.500 1.500 0 0 1 3 0V11V6a1.500 1.500 0 0 1 3 0v8c0 4-2 7-6 7-3 0-4.500-1.500-6-4l-2.500-4c-.8-1.500 1-2.500 2-1.500L8 14',
  clock: 'M12 5a8 8 0 1 0 .01 0M12 9v4l3 2M9 2h6',
  erase: 'M9 20l-5-5 10-11 6 6-9 10zM9 9l6 6M9 20h11',
  robot: 'M5 9h14v11H5zM12 9V5M12 3.500a.8.8 0 1 0 .01 0M9 13v2.500M15 13v2.500M2.500 13v3M21.500 13v3',
  bulb: 'M9 17c0-3-3-4-3-8a6 6 0 0 1 12 0c0 4-3 5-3 8zM9.500 20h5M11 22.500h2',
  mute: 'M4 9v6h4l5 4V5L8 9zM17 9l5 6M22 9l-5 6',
} as const;

export type IconName = keyof typeof PATHS;

export const icon = (name: IconName): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
