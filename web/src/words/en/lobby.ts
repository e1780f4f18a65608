/** Lobby, invitations, live games, people. */

export const LOBBY = {
} as const;
