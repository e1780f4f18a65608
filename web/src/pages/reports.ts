/** For moderators: reports to judge. */

import '../styles/people.css';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../app';
import { call, query } from '../net/api';
import { Refused, type Report, type Reports, type Verdict } from '../net/protocol';
import { TimeoutForm } from '../people/timeout-form';
import { Form, textOf } from '../ui/form';
import { authLink } from '../ui/login-links';
import { message, toLobby } from '../ui/message';
import type { Page } from '../ui/page';
import { personLink, personName } from '../ui/person-name';
import { moment } from '../words/dates';
import { nameOf, say } from '../words/words';

const MOST_LETTERS = 1000;

interface Forms {
  verdict: Form;
  timeout: TimeoutForm;
}

export class ReportsPage implements Page {
  private reports: readonly Report[] = [];
  private next: string | null = null;
  private state: 'loading' | 'listed' | 'forbidden' | 'failed' = 'loading';
  /** Open or judged reports, as the address says. */
  private readonly judged = new URLSearchParams(location.search).has('judged');
  private readonly forms = new Map<string, Forms>();
  private of: string | null | undefined;

  constructor(private readonly app: App) {
    document.title = say('app.title', { page: say('reports.title') });
  }

  close(): void {
    // Nothing to release.
  }

  draw(root: HTMLElement): void {
    const { state, user } = this.app.socket;
    const of = user?.id ?? null;
    if (state === 'open' && of !== this.of) {
      this.of = of;
      this.reports = [];
      void this.load(null);
    }
    if (this.state === 'forbidden') {
      render(forbidden(of !== null), root);
      return;
    }
    const way = (path: string, judged: boolean, name: string) =>
      html`<a class="button" href=${path} data-page aria-current=${judged === this.judged ? 'page' : nothing}>${name}</a>`;
    render(
      html`<div class="column" data-testid="reports">
        <h1>${say('reports.title')}</h1>
        <nav class="buttons" aria-label=${say('reports.title')}>
          ${way('/reports', false, say('reports.open'))} ${way('/reports?judged', true, say('reports.judged'))}
        </nav>
        ${this.list()}
      </div>`,
      root,
    );
  }

  private list(): TemplateResult {
    const { reports, state } = this;
    if (state === 'failed') {
      return html`<p class="empty">${say('archive.failed')}</p>
        <button @click=${() => void this.load(null)}>${say('broken.again')}</button>`;
    }
    if (state === 'loading' && reports.length === 0) return html`<p class="empty" role="status">${say('app.loading')}</p>`;
    if (reports.length === 0) {
      return html`<p class="empty card" role="status">${say(this.judged ? 'reports.none.judged' : 'reports.none')}</p>`;
    }
    return html`${repeat(
        reports,
        ({ report }) => report,
        (report) => this.card(report),
      )}
      ${this.next === null
        ? nothing
        : html`<div class="buttons"><button data-testid="more" @click=${() => void this.load(this.next)}>${say('reports.more')}</button></div>`}`;
  }

  private card(report: Report): TemplateResult {
    const { by, user, what, text, game, lines, created, open } = report;
    const more = open - (report.verdict === null ? 1 : 0);
    return html`<article class="card report" data-report=${report.report} aria-labelledby="r-${report.report}">
      <h2 id="r-${report.report}">${nameOf('report', what)}: ${personLink(user)}</h2>
      <p class="about">
        ${say('reports.by')} ${personLink(by)} · ${moment(created)}${game === null
          ? nothing
          : html` · <a href="/game/${game}" data-page>${say('search.game', { g: game })}</a>`}${more > 0
          ? html` · ${say('reports.others', { n: more })}`
          : nothing}
      </p>
      <blockquote>${text}</blockquote>
      ${lines.length === 0
        ? nothing
        : html`<details>
            <summary>${what === 'profile' ? nameOf('report', what) : say('reports.lines', { n: lines.length })}</summary>
            <div class="scroll" tabindex="0" role="region" aria-label=${what === 'profile' ? nameOf('report', what) : say('reports.chat')}>
              ${lines.map(
                (line) =>
                  html`<p>
                    <strong>${personName(line.user)}</strong> <span class="person-text">${line.text}</span> <small class="about">${moment(line.at)}</small>
                  </p>`,
              )}
            </div>
          </details>`}
      ${report.verdict === null ? this.judging(report) : judgedBy(report)}
    </article>`;
  }

  private judging(report: Report): TemplateResult {
    const { user, ban } = report;
    const { verdict, timeout } = this.formsOf(report);
    const options = (['', 'upheld', 'dismissed'] as const).map((word) => [word, word === '' ? say('reports.verdict.choose') : nameOf('verdict', word)] as const);
    const fields = html`${verdict.select({ name: 'verdict', label: say('reports.verdict') }, options)}
    ${verdict.text({ name: 'note', label: say('reports.note'), hint: say('reports.note.hint'), required: false, most: MOST_LETTERS })}`;
    return html`<details>
        <summary>${say('timeout.title', { name: user.name })}</summary>
        ${timeout.draw(user, ban, ban !== null)}
      </details>
      ${verdict.draw(fields, say('reports.judge'), (values) => this.judge(report, values))}`;
  }

  private formsOf({ report, user }: Report): Forms {
    let forms = this.forms.get(report);
    if (forms === undefined) {
      forms = {
        verdict: new Form(`verdict-${report}`, () => this.app.changed()),
        timeout: new TimeoutForm(this.app, `timeout-${report}`, (ban) => {
          this.reports = this.reports.map((other) => (other.user.id === user.id ? { ...other, ban } : other));
        }),
      };
      this.forms.set(report, forms);
    }
    return forms;
  }

  private async judge({ report, user }: Report, values: FormData): Promise<void> {
    const note = textOf(values, 'note').trim() || null;
    const verdict = textOf(values, 'verdict') as Verdict;
    const done = await call<Report>('POST', `/api/v1/reports/${report}`, { verdict, note });
    this.reports = this.reports
      .filter((other) => other.report !== report)
      .map((other) => (other.user.id === user.id ? { ...other, open: done.open } : other));
    this.app.say(say('reports.done', { verdict: nameOf('verdict', verdict).toLowerCase() }));
    if (this.reports.length === 0 && this.next !== null) await this.load(null);
  }

  private async load(after: string | null): Promise<void> {
    this.state = 'loading';
    this.app.changed();
    try {
      const page = await call<Reports>('GET', `/api/v1/reports${query({ open: this.judged ? '0' : '1', after })}`);
      this.reports = after === null ? page.reports : [...this.reports, ...page.reports];
      this.next = page.next;
      this.state = 'listed';
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.state = error.code === 'forbidden' || error.code === 'unauthenticated' ? 'forbidden' : 'failed';
    }
    this.app.changed();
  }
}

function judgedBy({ verdict, judge, judged, note }: Report): TemplateResult {
  return html`<p data-testid="verdict">
      <strong>${nameOf('verdict', verdict ?? '')}</strong>
      ${judge === null ? nothing : html`${say('reports.judge.by')} ${personLink(judge)}`}${judged === null ? nothing : ` · ${moment(judged)}`}
    </p>
    ${note === null ? nothing : html`<p class="about">${note}</p>`}`;
}

function forbidden(isSomebody: boolean): TemplateResult {
  const ways = isSomebody
    ? toLobby()
    : html`<a class="button main" href=${authLink('/login', '/reports')} data-page>${say('login.title')}</a>`;
  return message(say('reports.forbidden'), say('reports.forbidden.text'), ways);
}
