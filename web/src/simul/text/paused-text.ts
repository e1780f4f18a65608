/** Why a simul is paused, in words; null while it runs. */

import type { SimulSnapshot } from '../../net/protocol';
import { instant } from '../../words/dates';
import { say } from '../../words/words';

export function pausedText({ status, break_until, away_since, you }: SimulSnapshot): string | null {
  if (status !== 'running') return null;
  if (break_until !== null) return say('simul.break.until', { time: instant(break_until) });
  if (away_since === null) return null;
  return you === 'host' ? say('simul.away.you') : say('simul.away.since', { time: instant(away_since) });
}
