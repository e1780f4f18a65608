/** Summary of a simul: score, progress, the host's clock, pace, and estimated end. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { SimulSnapshot } from '../../net/protocol';
import { format_ms } from '../../time/clock';
import { personLink, personText } from '../../ui/person-name';
import { say } from '../../words/words';
import { standing } from '../state/board-order';
import { hostLeft_ms } from '../state/host-distance';
import { doneOf, halves, paceOf, pointsOf, type Pace } from '../state/host-pace';
import { actsAsHost, isFinal, type SimulStore } from '../state/simul-store';
import { delayNotice } from '../text/delay-notice';
import { pausedText } from '../text/paused-text';
import { scoreText } from '../text/score-text';

/**
 * `waiting`: boards where the host is to move; `joining`: for late joiners, null where nobody joins late. While the
 * simul runs its height does not depend on what it says: the board is below it.
 */
export function summary(
  store: SimulStore,
  simul: SimulSnapshot,
  { waiting, now, joining }: { waiting: number; now: number; joining: TemplateResult | null },
): TemplateResult {
  const { score } = simul;
  const { points, of } = pointsOf(score);
  const running = simul.status === 'running';
  const { ahead, behind } = standing(store.boards.values(), simul.variant);
  const done = Math.round(doneOf(score) * 100);
  const all = score.wins + score.draws + score.losses + score.aborted + score.live;
  const pace = running && simul.break_until === null ? paceOf([...store.boards.values()], store.hostMoves, now, simul.started) : null;
  const left = running ? hostLeft_ms(simul, now) : null;
  const stands = pausedText(simul);
  // In place of the progress.
  const notice = stands ?? (running && !simul.host_online ? goneText(simul) : null);
  return html`<header class="simul-head" data-testid="simul-head" data-status=${simul.status}>
    <div class="simul-title">
      <h1>${simul.name}</h1>
      <p class="about">${personLink(simul.host)} · ${say('count.watching', { n: simul.watchers })}</p>
    </div>
    <div class="simul-score" data-testid="simul-score">
      ${of === 0 ? nothing : html`<b title=${say('simul.score.long')}>${halves(points)}<small>/${of}</small></b>`}
      <span title=${say('simul.score.games')}
        >${of === 0 && running ? say('simul.score.none') : scoreText(score)}
        ${running ? html`<small title=${say('simul.standing.long')} data-testid="simul-standing">${ahead + behind === 0 ? '\u00a0' : say('simul.standing', { ahead, behind })}</small>` : nothing}</span
      >
    </div>
    <div class="simul-progress">
      <progress max="100" value=${done} aria-label=${say('simul.done')}></progress>
      ${notice !== null
        ? html`<span class="simul-stands" role="status" title=${notice} data-testid=${stands === null ? nothing : 'simul-stands'}>${notice}</span>`
        : running
          ? progress(score.live, all, say(actsAsHost(simul) ? 'simul.waiting.you' : 'simul.waiting', { n: waiting }), pace)
          : html`<span>${finalText(simul)}</span>`}
    </div>
    ${left === null
      ? nothing
      : html`<div class="simul-clock" data-run=${String(simul.host_clock?.run ?? false)}>
          <small>${say('simul.host-clock')}</small> <time role="timer" aria-live="off" data-testid="host-clock">${format_ms(Math.max(1_000, left))}</time>
        </div>`}
    ${joining === null ? nothing : html`<div class="simul-joining">${joining}</div>`} ${delayNotice(simul)}
  </header>`;
}

/** Cached: creating one is expensive. */
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** In whole seconds. */
const wholeTime = (ms: number): string => {
  const s = Math.round(ms / 1000);
  return s < 60 ? say('simul.seconds', { n: s }) : format_ms(s * 1000);
};

const clockTime = (at: number): string => TIME.format(at);

/** One line. On a small screen the pace is left out of it. */
function progress(live: number, all: number, waiting: string, pace: Pace | null): TemplateResult {
  const now = `${say('simul.left', { n: live, all })} · ${waiting}`;
  const speed = pace?.perMinute ? ` · ${say('simul.pace', { n: pace.perMinute.toFixed(pace.perMinute < 10 ? 1 : 0) })}` : '';
  const end = pace?.end ? ` · ${say('simul.end.about', { time: clockTime(pace.end) })}` : '';
  return html`<span title="${now}${speed}${end}" data-testid="simul-progress">${now}<span class="simul-pace">${speed}</span>${end}</span>`;
}

const goneText = ({ acting, stand_in }: SimulSnapshot): string =>
  acting && stand_in ? say('simul.stand-in.gone', { name: personText(stand_in) }) : say('simul.host.gone');

function finalText({ score, status, mode }: SimulSnapshot): string {
  if (!isFinal(score)) return say(status === 'cancelled' ? 'simul.cancelled' : 'simul.over');
  // The host's clocks of several boards may run at once: the sum of their times is more than has passed.
  const host_ms = mode === 'round' ? score.host_ms : 0;
  const move_ms = mode === 'round' ? score.move_ms : score.moves > 0 ? score.duration_ms / score.moves : null;
  return [
    score.percent === null ? '' : say('simul.percent', { n: score.percent.toFixed(score.percent % 1 === 0 ? 0 : 1) }),
    say('simul.took', { time: wholeTime(score.duration_ms) }),
    host_ms > 0 ? say('simul.thought', { time: wholeTime(host_ms) }) : '',
    move_ms === null ? '' : say('simul.per-move', { n: (move_ms / 1000).toFixed(1) }),
    score.aborted > 0 ? say('simul.aborted', { n: score.aborted }) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
