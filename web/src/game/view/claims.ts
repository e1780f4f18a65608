/** Draw claims, for the current position or with a move (articles 9.2 and 9.3), and why a claim was refused. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { Refused, type GameSnapshot } from '../../net/protocol';
import type { IconName } from '../../ui/icons';
import { refusal, say } from '../../words/words';

/** What can probably be claimed, on the player's own turn. */
export interface Claim {
  /** In the current position. */
  now: boolean;
  /** The one move that leads to a claimable position. */
  one: { text: string; claim(): void } | null;
  /** Several moves do. */
  many: boolean;
  /** The next move is sent as a claim. */
  armed: boolean;
  arm(on: boolean): void;
}

interface Button {
  name: string;
  label: string;
  icon: IconName;
  message: { t: string };
  act(): unknown;
}

export class Claims {
  /** In the position after these moves; the same claim would be refused again. */
  private refused: { moves: readonly string[]; why: string } | null = null;

  constructor(
    private readonly app: App,
    private readonly id: string,
    private readonly button: (what: Button) => TemplateResult,
  ) {}

  /** The claim, or why it was refused; nothing if there is neither. */
  draw(game: GameSnapshot, claim: Claim): TemplateResult | typeof nothing {
    const { now, one, many, armed } = claim;
    const why = this.refused?.moves === game.moves ? this.refused.why : null;
    if (armed) return this.line(say('claim.armed'), this.made('claim-off', say('claim.off'), 'cross', () => claim.arm(false)));
    if (now && why === null) {
      return this.line(say('claim.now'), this.made('claim-draw', say('do.claim-draw'), 'half', () => this.claim(game)));
    }
    // A claim with a move may still be right.
    if (one !== null) {
      const said = why ?? say('claim.with', { move: one.text });
      const label = why === null ? say('do.claim-draw') : say('claim.with.short', { move: one.text });
      return this.line(said, this.made('claim-with', label, 'half', () => one.claim()), why !== null);
    }
    if (many) {
      const arm = this.made('claim-arm', say('claim.arm'), 'half', () => claim.arm(true));
      return this.line(why ?? say('claim.many'), arm, why !== null);
    }
    return why === null ? nothing : this.line(why, nothing, true);
  }

  private line(text: string, button: TemplateResult | typeof nothing, refused = false): TemplateResult {
    return html`<p class="offer theirs" data-testid="claim">
      <span class=${refused ? 'reason' : ''} title=${refused ? text : nothing} role=${refused ? 'alert' : nothing} tabindex=${refused ? 0 : nothing}>${text}</span> <span class="answers">${button}</span>
    </p>`;
  }

  private made(name: string, label: string, icon: IconName, act: () => unknown): TemplateResult {
    return this.button({ name, label, icon, message: { t: 'draw' }, act });
  }

  private async claim({ moves }: GameSnapshot): Promise<void> {
    await this.app.attempt(async () => {
      try {
        await this.app.socket.change({ t: 'draw', do: 'claim', g: this.id });
      } catch (error) {
        // A refused claim is no error: the reason is shown at the claim.
        if (!(error instanceof Refused) || error.code !== 'conflict') throw error;
        this.refused = { moves, why: refusal(error) };
        this.app.changed();
      }
    });
  }
}
