/** Several sentences, each marked with its language if it is not the page's. */

import { html, type TemplateResult } from 'lit-html';
import type { Utterance } from '../notation/tell-move';

/** Each but the last ends with a full stop, for a pause. */
export const sentencesOf = (told: readonly Utterance[]): Utterance[] =>
  told.map((one, index) => (index === told.length - 1 || one.text.endsWith('.') ? one : { ...one, text: `${one.text}.` }));

/** As a paragraph; screen readers use the voice of each language. */
export const sentences = (told: readonly Utterance[]): (TemplateResult | string)[] =>
  sentencesOf(told).map(({ text, lang }, index) => {
    const apart = index === 0 ? text : ` ${text}`;
    return lang === undefined ? apart : html`<span lang=${lang}>${apart}</span>`;
  });
