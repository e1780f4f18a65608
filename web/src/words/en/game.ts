/** The game page: players, clocks, offers, ends. */

export const GAME = {
} as const;
