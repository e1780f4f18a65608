/** The last requests of a user for an opponent, so that the next game can have the same settings. */

import type { KeyValueStorage } from '../../browser/storage';
import type { GameSnapshot, LawsTerms, Outgoing } from '../../net/protocol';
import { presetControl } from '../../time/control-draft';
import { describe } from '../../time/control-text';
import { isSameLaws } from '../../variants/laws-terms';
import { DEFAULT_VARIANT, gameOf } from '../../variants/registry';

const NAME = 'recent-requests';
/** More than the seeks and pools of an evening. */
const MOST = 8;

type Terms = Pick<GameSnapshot, 'game' | 'variant' | 'rated' | 'rules' | 'tc' | 'laws'>;

export class RecentRequests {
  constructor(private readonly storage: Pick<KeyValueStorage, 'getItem' | 'setItem'> | null) {}

  /** `user` has made a seek or joined a pool. The number of a start position is for one game: it is not kept. */
  note(user: string | undefined, { position, ...message }: Outgoing): void {
    if (user === undefined || (message.t !== 'seek' && message.t !== 'pool.join')) return;
    const words = JSON.stringify(message);
    const others = this.all(user).filter((other) => JSON.stringify(other) !== words);
    try {
      this.storage?.setItem(NAME, JSON.stringify({ user, requests: [message, ...others].slice(0, MOST) }));
    } catch {
      // The storage is full: then the next game has the terms of this one.
    }
  }

  /** The last request of `user` that led, or could have led, to this game. */
  for(user: string | undefined, game: Terms): Outgoing | null {
    return this.all(user).find((message) => fits(message, game)) ?? null;
  }

  /** Nothing of whoever used the browser before. */
  private all(user: string | undefined): Outgoing[] {
    try {
      const stored = JSON.parse(this.storage?.getItem(NAME) ?? 'null') as { user?: unknown; requests?: unknown } | null;
      if (stored?.user !== user || !Array.isArray(stored?.requests)) return [];
      return stored.requests.filter((one): one is Outgoing => typeof one?.t === 'string');
    } catch {
      return [];
    }
  }
}

function fits(message: Outgoing, { game, variant, rated, rules, tc, laws }: Terms): boolean {
  const asked = { variant: DEFAULT_VARIANT, rated: false, ...message } as Outgoing & { variant: string };
  if (asked.variant !== variant || asked.rated !== rated) return false;
  if (asked.game !== undefined && asked.game !== game) return false;
  const usual = gameOf(variant).profiles[0];
  if ((asked.rules ?? usual) !== rules || asked.fen) return false;
  if (!isSameLaws(message.laws as Partial<LawsTerms> | undefined, laws)) return false;
  try {
    const wanted = message.t === 'seek' ? (message.tc as GameSnapshot['tc']) : presetControl(String(message.pool));
    return describe(wanted ?? null) === describe(tc);
  } catch {
    return false; // stored by another version
  }
}
