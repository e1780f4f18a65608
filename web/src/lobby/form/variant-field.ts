/** Choice of the game: its family, the variant, and the losing version. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { choice } from '../../ui/choice';
import { howPlayed } from '../../variants/how-played';
import { families, gameOf, losingOf, plainOf } from '../../variants/registry';
import { shortName } from '../../variants/short-name';
import { nameOf, say, SIDES } from '../../words/words';

export class VariantField {
  /** The last choice in each family. */
  private readonly last = new Map<string, string>();

  /** `pick` is called with the new variant. */
  constructor(private readonly pick: (variant: string) => void) {}

  draw(chosen: string): TemplateResult {
    const { game, begins } = gameOf(chosen);
    const all = families();
    const own = all.find(([name]) => name === game)?.[1] ?? [];
    const losing = losingOf(plainOf(chosen));
    this.last.set(game, chosen);
    return html`${all.length > 1
        ? html`<fieldset>
            <legend>${say('games.game')}</legend>
            <div class="choices">
              ${all.map(([name, [first = chosen]]) => this.option('game', name, nameOf('family', name), name === game, this.last.get(name) ?? first))}
            </div>
          </fieldset>`
        : nothing}
      <fieldset data-testid="variant-field">
        <legend>${say('create.variant')}</legend>
        <div class="choices">
          ${own
            .filter((variant) => plainOf(variant) === variant)
            .map((variant) => this.option('variant', variant, shortName(variant), variant === plainOf(chosen), this.turned(variant, chosen)))}
        </div>
        ${losing === null
          ? nothing
          : html`<label class="box"
              ><input
                type="checkbox"
                data-testid="losing"
                .checked=${chosen === losing}
                @change=${(event: Event) => this.pick((event.target as HTMLInputElement).checked ? losing : plainOf(chosen))}
              />
              ${say('games.losing')}</label
            >`}
        ${begins === 'w' ? nothing : html`<p class="hint" data-testid="begins">${say('games.begins', { side: SIDES[begins] })}</p>`}
        ${howPlayed(chosen)}
      </fieldset>`;
  }

  /** Keeps the losing version when another variant is chosen. */
  private turned(variant: string, chosen: string): string {
    return plainOf(chosen) === chosen ? variant : (losingOf(variant) ?? variant);
  }

  private option(name: string, value: string, label: string, checked: boolean, variant: string): TemplateResult {
    return choice({ name, value, label, checked, pick: () => this.pick(variant) });
  }
}
