/** A simul's score in words: `3 wins · 1 draw · 0 losses`, the host's. */

import { say } from '../../words/words';

export const scoreText = ({ wins, draws, losses }: { wins: number; draws: number; losses: number }): string =>
  [say('count.wins', { n: wins }), say('count.draws', { n: draws }), say('count.losses', { n: losses })].join(' · ');
