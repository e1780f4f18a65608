/** The last requests for an opponent, so that the next game can have the same settings. */

import type { KeyValueStorage } from '../../browser/storage';
import type { GameSnapshot, Outgoing } from '../../net/protocol';
import { presetControl } from '../../time/control-draft';
import { describe } from '../../time/control-text';
import { DEFAULT_VARIANT, gameOf } from '../../variants/registry';

const NAME = 'recent-requests';
/** More than the seeks and pools of an evening. */
const MOST = 8;

type Terms = Pick<GameSnapshot, 'game' | 'variant' | 'rated' | 'rules' | 'tc'>;

export class RecentRequests {
  constructor(private readonly storage: Pick<KeyValueStorage, 'getItem' | 'setItem'> | null) {}

  /** A seek or a pool was joined. */
  note(message: Outgoing): void {
    if (message.t !== 'seek' && message.t !== 'pool.join') return;
    const words = JSON.stringify(message);
    const others = this.all().filter((other) => JSON.stringify(other) !== words);
    try {
      this.storage?.setItem(NAME, JSON.stringify([message, ...others].slice(0, MOST)));
    } catch {
      // The storage is full: then the next game has the terms of this one.
    }
  }

  /** The last request that led, or could have led, to this game. */
  for(game: Terms): Outgoing | null {
    return this.all().find((message) => fits(message, game)) ?? null;
  }

  private all(): Outgoing[] {
    try {
      const stored: unknown = JSON.parse(this.storage?.getItem(NAME) ?? '[]');
      return Array.isArray(stored) ? stored.filter((one): one is Outgoing => typeof one?.t === 'string') : [];
    } catch {
      return [];
    }
  }
}

function fits(message: Outgoing, { game, variant, rated, rules, tc }: Terms): boolean {
  const asked = { variant: DEFAULT_VARIANT, rated: false, ...message } as Outgoing & { variant: string };
  if (asked.variant !== variant || asked.rated !== rated) return false;
  if (asked.game !== undefined && asked.game !== game) return false;
  const usual = gameOf(variant).profiles[0];
  if ((asked.rules ?? usual) !== rules || asked.fen) return false;
  try {
    const wanted = message.t === 'seek' ? (message.tc as GameSnapshot['tc']) : presetControl(String(message.pool));
    return describe(wanted ?? null) === describe(tc);
  } catch {
    return false; // stored by another version
  }
}
