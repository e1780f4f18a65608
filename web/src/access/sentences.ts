/** Sentences one after the other, each marked with its language where that is not the page's. */

import { html, type TemplateResult } from 'lit-html';
import type { Utterance } from '../notation/tell-move';

/** With a pause between: each but the last ends with a full stop. */
export const sentencesOf = (told: readonly Utterance[]): Utterance[] =>
  told.map((one, index) => (index === told.length - 1 || one.text.endsWith('.') ? one : { ...one, text: `${one.text}.` }));

/** As they stand in a paragraph; screen readers take the voice of each language. */
export const sentences = (told: readonly Utterance[]): (TemplateResult | string)[] =>
  sentencesOf(told).map(({ text, lang }, index) => {
    const apart = index === 0 ? text : ` ${text}`;
    return lang === undefined ? apart : html`<span lang=${lang}>${apart}</span>`;
  });
