/** The tile of the lobby that opens the form of a game against a robot, or offers one to a person who waits. */

import { html, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { nameOf, say } from '../../words/words';
import { lastLevel, whyNoRobot, whyText, type RobotsAbsence } from '../waiting/robots';

/** `variant`: the chosen one of the pools. */
export function robotTile(app: App, variant: string): TemplateResult {
  const { gameRequests, pool, seeks } = app;
  const why = whyNoRobot(seeks.robots(), variant);
  const instead = pool.instead();
  const underway = instead !== null && gameRequests.isUnderway(instead);
  const about = instead !== null ? say('robot.instead.short', { tempo: pool.now!.pool }) : aboutTile(why);
  const click = ({ detail }: MouseEvent) => {
    if (detail > 1 || underway) return;
    if (instead !== null) void gameRequests.ask(instead);
    else if (why !== null) app.say(whyText(why));
    else void app.create({ robot: true, variant });
  };
  return html`<button
    class="tile worded"
    data-testid="robot"
    data-offered=${String(instead !== null)}
    aria-disabled=${why !== null && instead === null ? 'true' : 'false'}
    aria-label=${say('robot.tile.name', { about })}
    @click=${click}
  >
    <strong>${say('robot.tile')}</strong> <small>${about}</small>
  </button>`;
}

const aboutTile = (why: RobotsAbsence | null): string =>
  why === null ? say('robot.level.n', { n: lastLevel() }) : nameOf('robot.why.short', why);
