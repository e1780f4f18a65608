/** A person's name with title and bot mark. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { User } from '../net/protocol';
import { say } from '../words/words';

export const personPath = (name: string): string => `/user/${encodeURIComponent(name)}`;

type Called = Pick<User, 'title' | 'name' | 'kind'>;

export const personName = (user: Called): TemplateResult =>
  html`${user.title ? html`<span class="title">${user.title}</span> ` : nothing}${user.name}${botMark(user)}`;

/** As plain text. */
export function personText({ title, name, kind }: Called): string {
  const called = title ? `${title} ${name}` : name;
  return kind === 'bot' ? say('person.bot.called', { name: called }) : called;
}

export const personLink = (user: User): TemplateResult =>
  html`<a href=${personPath(user.name)} data-page>${personName(user)}</a>`;

/** Only for bots. */
export const botMark = ({ kind }: Pick<User, 'kind'>): TemplateResult | typeof nothing =>
  kind === 'bot' ? html` <span class="bot-mark">${say('person.bot')}</span>` : nothing;
