/** Time controls of an invitation: one for both, or a handicap. */

import type { Challenge, Speed } from '../../net/protocol';
import { spell } from '../../time/control-text';
import { slower, speedOf } from '../../time/speed';
import { personText } from '../../ui/person-name';
import { variantAt } from '../../variants/chess960';
import { DEFAULT_VARIANT } from '../../variants/registry';
import { say } from '../../words/words';

/** In words; `mine`: for the sender. */
export function controlsOf({ tc, opponent_tc }: Pick<Challenge, 'tc' | 'opponent_tc'>, mine: boolean): string {
  if (opponent_tc === null) return spell(tc);
  const [sender, other] = [spell(tc), spell(opponent_tc)];
  return mine ? say('challenge.odds', { mine: sender, theirs: other }) : say('challenge.odds', { mine: other, theirs: sender });
}

/** The speed of the game: that of the slower control. */
export function speedOfBoth({ tc, opponent_tc }: Pick<Challenge, 'tc' | 'opponent_tc'>): Speed {
  return speedOf(opponent_tc === null ? tc : slower(tc, opponent_tc));
}

/** The text of an invitation for its recipient. */
export function invitationText(card: Pick<Challenge, 'from' | 'tc' | 'opponent_tc' | 'variant' | 'position'>): string {
  const { from, tc, opponent_tc, variant, position } = card;
  const name = personText(from);
  const text =
    opponent_tc === null
      ? say('inbox.one', { name, tempo: spell(tc) })
      : say('inbox.odds', { name, yours: spell(opponent_tc), theirs: spell(tc) });
  return variant === DEFAULT_VARIANT ? text : `${text} · ${variantAt(variant, position)}`;
}
