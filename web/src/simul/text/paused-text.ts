/** Why a simul is paused, in words; null while it runs. */

import type { SimulSnapshot } from '../../net/protocol';
import { instant } from '../../words/dates';
import { personText } from '../../ui/person-name';
import { say } from '../../words/words';
import { actsAsHost } from '../state/simul-store';

export function pausedText(now: SimulSnapshot): string | null {
  const { status, break_until, away_since, acting, stand_in } = now;
  if (status !== 'running') return null;
  if (break_until !== null) return say('simul.break.until', { time: instant(break_until) });
  if (away_since === null) return null;
  if (actsAsHost(now)) return say('simul.away.you');
  const time = instant(away_since);
  return acting && stand_in ? say('simul.away.stand-in', { name: personText(stand_in), time }) : say('simul.away.since', { time });
}
