/** The variant of the pools: a button for each chess variant and for each other family, and a list of its variants. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { KeyValueStorage } from '../../browser/storage';
import { choice } from '../../ui/choice';
import { DEFAULT_VARIANT, families, gameOf, VARIANTS } from '../../variants/registry';
import { shortName } from '../../variants/short-name';
import { nameOf, say, variantWithin } from '../../words/words';

/** Storage key: the chosen variant, then the last choice in each family. */
const NAME = 'quick.variants';

export class PoolVariant {
  chosen: string = DEFAULT_VARIANT;
  /** The last choice in each family. */
  private readonly last = new Map<string, string>();

  constructor(
    private readonly storage: Pick<KeyValueStorage, 'getItem' | 'setItem'> | null,
    private readonly changed: () => void,
  ) {
    // The stored text is not trusted: an older page may have written it.
    const known = (storage?.getItem(NAME) ?? '').split(' ').filter((variant) => VARIANTS.includes(variant));
    for (const variant of known.toReversed()) this.note(variant);
  }

  /** The variant within a sentence. */
  name(): string {
    return variantWithin(this.chosen);
  }

  draw(): TemplateResult {
    const { game } = gameOf(this.chosen);
    const own = families().find(([name]) => name === game)?.[1] ?? [];
    return html`<div class="choices quick-variants" role="radiogroup" aria-label=${say('games.game')}>
      ${families().flatMap(([name, variants]) =>
        name === gameOf(DEFAULT_VARIANT).game
          ? variants.map((variant) => this.option(variant, variant === DEFAULT_VARIANT ? nameOf('family', name) : shortName(variant), variant === this.chosen))
          : [this.option(this.last.get(name) ?? variants[0]!, nameOf('family', name), name === game)],
      )}
      ${game === gameOf(DEFAULT_VARIANT).game
        ? nothing
        : html`<select
            aria-label=${say('create.variant')}
            data-testid="quick-variant"
            @change=${(event: Event) => this.pick((event.target as HTMLSelectElement).value)}
          >
            ${own.map((variant) => html`<option value=${variant} ?selected=${variant === this.chosen}>${shortName(variant)}</option>`)}
          </select>`}
    </div>`;
  }

  private option(variant: string, label: string, checked: boolean): TemplateResult {
    return choice({ name: 'quick-variant', value: variant, label, checked, pick: () => this.pick(variant) });
  }

  private pick(variant: string): void {
    this.note(variant);
    const others = [...this.last.values()].filter((last) => last !== variant);
    try {
      this.storage?.setItem(NAME, [variant, ...others].join(' '));
    } catch {
      // The storage is full: the next visit starts with standard chess.
    }
    this.changed();
  }

  private note(variant: string): void {
    this.chosen = variant;
    this.last.set(gameOf(variant).game, variant);
  }
}
