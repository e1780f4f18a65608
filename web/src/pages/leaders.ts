/** Leaderboards: the top of each, or one in full. */

import '../styles/people.css';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { Leader, Leaderboard, Leaderboards } from '../net/protocol';
import { flag } from '../people/flag';
import { emptyList, message } from '../ui/message';
import type { Page } from '../ui/page';
import { personLink } from '../ui/person-name';
import { Resource } from '../ui/resource';
import { perfName, sortedPerfs } from '../variants/perfs';
import { say } from '../words/words';

type Boards = Readonly<Record<string, readonly Leader[]>>;

export class LeadersPage implements Page {
  private readonly resource: Resource<Leaderboards | Leaderboard>;

  /** `perf`: the one leaderboard; null for all. */
  constructor(
    app: App,
    private readonly perf: string | null,
  ) {
    const title = say('leaders.title');
    document.title = say('app.title', { page: perf === null ? title : say('leaders.of', { perf: perfName(perf) }) });
    const address = `/api/v1/leaderboards${perf === null ? '' : `/${encodeURIComponent(perf)}`}`;
    this.resource = new Resource(address, () => app.changed());
  }

  close(): void {
    this.resource.close();
  }

  draw(root: HTMLElement): void {
    const { perf, resource: wanted } = this;
    if (wanted.state === 'missing') {
      render(message(say('leaders.missing'), say('missing.text'), toAll()), root);
      return;
    }
    render(
      html`<div class=${perf === null ? 'leaders' : 'column'} data-testid="leaders">
        <h1>${perf === null ? say('leaders.title') : say('leaders.of', { perf: perfName(perf) })}</h1>
        <p class="about">${say('leaders.who')}</p>
        ${perf === null ? nothing : html`<p><a href="/leaders" data-page>${say('leaders.all')}</a></p>`}
        ${wanted.value === null ? wanted.draw() : 'boards' in wanted.value ? this.all(wanted.value.boards) : one(wanted.value)}
      </div>`,
      root,
    );
  }

  private all(boards: Boards): TemplateResult {
    const filled = sortedPerfs(Object.keys(boards)).filter((perf) => boards[perf]!.length > 0);
    if (filled.length === 0) return html`<section class="card">${emptyList(say('leaders.empty'))}</section>`;
    return html`<div class="boards">
      ${filled.map(
        (perf) =>
          html`<section class="card" aria-labelledby="board-${perf}">
            <h2 id="board-${perf}">
              <a href="/leaders/${perf}" data-page>${perfName(perf)}</a>
            </h2>
            ${table(boards[perf]!, perf)}
          </section>`,
      )}
    </div>`;
  }
}

const one = ({ perf, people }: Leaderboard): TemplateResult =>
  html`<section class="card">
    ${people.length === 0 ? emptyList(say('leaders.empty.one')) : table(people, perf)}
  </section>`;

function table(people: readonly Leader[], perf: string): TemplateResult {
  return html`<table class="board-table" data-testid="board" data-perf=${perf}>
    <caption class="unseen">
      ${say('leaders.of', { perf: perfName(perf) })}
    </caption>
    <thead>
      <tr>
        <th scope="col">${say('leaders.rank')}</th>
        <th scope="col">${say('leaders.name')}</th>
        <th scope="col" class="number">${say('graph.rating')}</th>
        <th scope="col" class="number">${say('person.games')}</th>
      </tr>
    </thead>
    <tbody>
      ${people.map(
        ({ rank, user, rating, games, country }) =>
          html`<tr>
            <td>${rank}</td>
            <th scope="row"><span class="leader">${personLink(user)} ${flag(country)}</span></th>
            <td class="number">${rating}</td>
            <td class="number">${games}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

const toAll = (): TemplateResult => html`<a class="button main" href="/leaders" data-page>${say('leaders.title')}</a>`;
