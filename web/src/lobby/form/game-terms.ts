/** What the choices of the form ask for: the terms of a seek, an invitation, or a game against oneself or a robot. */

import type { LawsTerms, Outgoing } from '../../net/protocol';
import { controlOf, type TempoDraft } from '../../time/control-draft';
import { isByLaws } from '../../variants/laws-terms';
import { gameOf } from '../../variants/registry';
import type { PlainKey } from '../../words/words';
import { delayOf } from './delay-field';
import type { LawsField } from './laws-field';
import type { LevelField } from './level-field';
import type { OddsField } from './odds-field';
import type { OpponentField } from './opponent-field';
import type { PositionField } from './position-field';
import type { Choices } from './remembered';
import type { StartField } from './start-field';

export interface TermsFields {
  opponent: OpponentField;
  odds: OddsField;
  start960: StartField;
  laws: LawsField;
  position: PositionField;
}

export class GameTerms {
  constructor(
    private readonly chosen: Choices,
    private readonly fields: TermsFields,
    private readonly isGuest: () => boolean,
  ) {}

  seek() {
    return { ...this.terms(), ...this.fields.opponent.bounds(), t: 'seek' };
  }

  /** To the person with this name, or to whoever has the link. */
  invitation(to: string | null): Outgoing {
    const opponent_tc = this.hasOdds() ? this.fields.odds.control() : null;
    return {
      ...this.terms(),
      ...this.fields.opponent.bounds(),
      ...this.start(),
      ...(opponent_tc === null ? {} : { opponent_tc }),
      t: 'challenge',
      ...(to === null ? {} : { to }),
    };
  }

  passAndPlay(): Outgoing {
    return { ...this.terms(), ...this.start(), t: 'challenge', to: 'self', rated: false };
  }

  /** An invitation that the second player at this device accepts. */
  atOneDevice(): Outgoing {
    return { ...this.invitation(null), ...this.byLaws({ people: false }) };
  }

  /** Casual, and spectators see it at once. */
  robot({ level, hints }: Pick<LevelField, 'level' | 'hints'>): Outgoing {
    return { ...this.game(), ...this.byLaws({ people: false }), ...this.start(), t: 'challenge', to: 'robot', level, rated: false, ...(hints && !this.isByLaws() ? { hints } : {}) };
  }

  /** Correspondence and games without a clock have no odds. */
  hasOdds(): boolean {
    return this.fields.odds.on && hasClock(this.chosen.tempo);
  }

  /** Terms that no seek can have. */
  isSpecial(): boolean {
    return this.hasOdds() || this.fields.position.on;
  }

  /** Number of the chosen start position; null if it is drawn or given as FEN. */
  number(): number | null {
    const { position, start960 } = this.fields;
    return position.on ? null : start960.chosen(this.chosen.variant);
  }

  /** Rules that the variant has at this tempo: by the Laws both sit at the board. */
  profiles(): readonly string[] {
    const { variant, tempo } = this.chosen;
    return gameOf(variant).profiles.filter((rules) => tempo.pick !== 'days' || !isByLaws(rules));
  }

  /** Whether it is played by the Laws, as over a board. */
  isByLaws(): boolean {
    return this.chosen.tempo.pick !== 'days' && this.fields.laws.applies(this.rules());
  }

  /** Rules chosen for another variant are kept until it is chosen again. */
  rules(): string {
    const { rules } = this.chosen;
    const profiles = this.profiles();
    return profiles.includes(rules) ? rules : profiles[0]!;
  }

  /** What was chosen returns when it can apply again. */
  rated(): boolean {
    return this.chosen.rated && this.whyCasual() === null;
  }

  /** Why the game cannot be rated; null if it can. */
  whyCasual(): PlainKey | null {
    if (this.isByLaws()) return 'create.laws.hint';
    if (this.isGuest()) return 'create.rated.hint';
    if (this.fields.opponent.isGuest()) return 'create.guest.hint';
    if (this.chosen.tempo.pick === 'none') return 'create.none.hint';
    if (this.hasOdds()) return 'create.odds.hint';
    return this.fields.position.on || this.number() !== null ? 'create.start.hint' : null;
  }

  private terms() {
    return { ...this.game(), rated: this.rated(), ...delayOf(this.chosen.later) };
  }

  private game() {
    const { tempo, variant, color } = this.chosen;
    const position = this.number();
    const terms = { game: gameOf(variant).game, variant, color, rules: this.rules(), tc: controlOf(tempo) };
    return { ...terms, ...this.byLaws({ people: true }), ...(position === null ? {} : { position }) };
  }

  private byLaws({ people }: { people: boolean }): { laws?: Partial<LawsTerms> } {
    const laws = this.isByLaws() ? this.fields.laws.terms(this.rules(), people) : null;
    return laws === null ? {} : { laws };
  }

  /** Empty for the usual start position. */
  private start(): { fen?: string } {
    const fen = this.fields.position.text();
    return fen === '' ? {} : { fen };
  }
}

export const hasClock = ({ pick }: TempoDraft): boolean => pick !== 'days' && pick !== 'none';
