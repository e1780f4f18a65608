/** A simul's announcement in words. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { SimulSnapshot } from '../../net/protocol';
import { inWords } from '../../time/control-text';
import { personLink } from '../../ui/person-name';
import { moment } from '../../words/dates';
import { say, variantName } from '../../words/words';

/** All terms. */
export function announcementTerms(simul: SimulSnapshot): TemplateResult {
  return html`<dl class="simul-terms" data-testid="simul-terms">
    ${rows(simul).map(
      ([name, text]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${text}</dd>
        </div>`,
    )}
  </dl>`;
}

type Row = [name: string, text: string | TemplateResult];

function rows(simul: SimulSnapshot): Row[] {
  const round = simul.mode === 'round';
  const found: (Row | null)[] = [
    [say('simul.term.mode'), say(`simul.mode.${simul.mode}`)],
    [say('simul.term.time'), inWords(simul.tc)],
    round ? [say('simul.term.host-time'), hostTime(simul)] : null,
    simul.host_extra_s || simul.host_extra_per_board_s ? [say('simul.term.extra'), extra(simul)] : null,
    round ? [say('simul.term.waits'), say('simul.waits', { n: simul.countdown_s, passes: simul.passes })] : null,
    [say('simul.term.variants'), simul.variants.map(({ variant }) => variantName(variant)).join(', ')],
    [say('simul.term.color'), say(`simul.color.${simul.host_color}`)],
    [say('simul.term.rated'), say(simul.rated ? 'game.rated' : 'game.casual')],
    [say('simul.term.draws'), draws(simul)],
    [say('simul.term.boards'), String(simul.max_boards)],
    [say('simul.term.who'), who(simul)],
    [say('simul.term.late'), late(simul)],
    simul.stand_in ? [say('simul.term.stand-in'), html`${personLink(simul.stand_in)}`] : null,
    [say('simul.term.away'), say('simul.away', { time: away(simul.away_limit_s) })],
    simul.delay_s > 0 ? [say('simul.term.delay'), say('simul.delay', { n: simul.delay_s })] : null,
    simul.start_at === null ? null : [say('simul.term.start'), moment(simul.start_at)],
    simul.fen === null ? null : [say('simul.term.fen'), html`<code>${simul.fen}</code>`],
  ];
  return found.filter((row) => row !== null);
}

function hostTime({ host_tc, tc }: SimulSnapshot): string {
  if (host_tc === 'none') return say('simul.host-tc.none');
  if (host_tc === null) return say('simul.host-tc.all', { time: inWords(tc) });
  return 'move_s' in host_tc ? inWords(host_tc) : say('simul.host-tc.all', { time: inWords(host_tc) });
}

const away = (s: number): string => (s % 60 === 0 ? say('simul.minutes', { n: s / 60 }) : say('simul.extra', { n: s }));

function extra({ host_extra_s, host_extra_per_board_s }: SimulSnapshot): string {
  const parts = [
    host_extra_s ? say('simul.extra', { n: host_extra_s }) : '',
    host_extra_per_board_s ? say('simul.extra.board', { n: host_extra_per_board_s }) : '',
  ];
  return parts.filter(Boolean).join(', ');
}

function draws({ draws: rule }: SimulSnapshot): string {
  return typeof rule === 'number' ? say('simul.draws.after', { n: rule }) : say(`simul.draws.${rule}`);
}

function who({ conditions, auto_accept }: SimulSnapshot): string {
  const { min_rating, max_rating, guests, members, invited } = conditions;
  const parts = [
    say(invited ? 'simul.who.invited' : members ? 'simul.who.people' : guests ? 'simul.who.all' : 'simul.who.members'),
    min_rating === null ? '' : say('simul.who.from', { n: min_rating }),
    max_rating === null ? '' : say('simul.who.to', { n: max_rating }),
    say(auto_accept ? 'simul.who.auto' : 'simul.who.hand'),
  ];
  return parts.filter(Boolean).join(', ');
}

function late({ late_join }: SimulSnapshot): string {
  if (late_join === null) return say('simul.late.none');
  return 'move' in late_join ? say('simul.late.move', { n: late_join.move }) : say('simul.late.minutes', { n: late_join.minutes });
}

/** The host's text, line by line. */
export const hostText = ({ text }: SimulSnapshot): TemplateResult | typeof nothing =>
  text === '' ? nothing : html`<p class="simul-text">${text}</p>`;
