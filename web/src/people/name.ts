/** Who somebody is, in a list: title, name, and that he is a bot. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { User } from '../protocol';
import { say } from '../words';

export const personPath = (name: string): string => `/user/${encodeURIComponent(name)}`;

export const personName = ({ title, name, kind }: User): TemplateResult =>
  html`${title ? html`<span class="title">${title}</span> ` : nothing}${name}${kind === 'bot' ? html` ${botMark()}` : nothing}`;

export const personLink = (user: User): TemplateResult =>
  html`<a href=${personPath(user.name)} data-page>${personName(user)}</a>`;

const botMark = (): TemplateResult => html`<span class="bot-mark">${say('person.bot')}</span>`;
