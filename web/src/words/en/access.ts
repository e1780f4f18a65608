/** Text mode, speech, the board as a grid. */

export const ACCESS = {
} as const;
