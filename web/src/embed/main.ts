/** A game embedded in another site's page: board, players, clocks, and a link to the game. */

import '../styles/embed.css';
import { html, render, type TemplateResult } from 'lit-html';
import { StillBoard } from '../board/still-board';
import { json, openJsonTransport } from '../net/json-transport';
import { embeddedSnapshot } from '../net/page-snapshot';
import { Socket } from '../net/socket';
import { opposite } from '../notation/color';
import { applyEmbedLook, embedLookOf } from '../settings/embed-look';
import { endOf, resultOf } from '../state/result-text';
import { delayText } from '../time/delay';
import { miniAfter, miniOfGame, sideShown, type Mini } from '../watch/mini';
import { playerLine, spoken, timeOf } from '../watch/tile';
import { say } from '../words/words';

const CLOCK_EVERY_MS = 100;
const LINE_OF_STATE = /^\/embed\/game\/([^/]+)\/?$/;

const root = document.getElementById('game')!;
const id = LINE_OF_STATE.exec(location.pathname)?.[1] ?? '';
const looks = embedLookOf(new URLSearchParams(location.search));
const board = new StillBoard();
const socket = new Socket(openJsonTransport, json);
const found = embeddedSnapshot(id);
let mini: Mini | null = found ? miniOfGame(found) : null;
let missing = found === null;
let waits = false;

applyEmbedLook(looks, document.documentElement);
if (found?.clock) socket.time.adjust(found.clock.at);
draw();
// A finished game needs no connection.
if (!missing && mini?.status !== 'over') follow();

function follow(): void {
  socket.subscribe(
    `game:${id}`,
    {
      seq: () => undefined,
      quiet: true,
      take: (message) => {
        if (message.t === 'error') missing = mini === null;
        else if (message.t === 'mini') mini = miniAfter(mini, message);
        changed();
        return 'done';
      },
    },
    { position: true },
  );
  socket.onchange = changed;
  addEventListener('online', () => socket.check());
  document.addEventListener('visibilitychange', () => document.hidden || socket.check());
  setInterval(() => document.hidden || changed(), CLOCK_EVERY_MS);
  socket.connect();
}

/** Draw with the next frame. */
function changed(): void {
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    draw();
  });
}

function draw(): void {
  render(mini === null ? absent() : game(mini), root);
}

function absent(): TemplateResult {
  return html`<p class="empty" role="status" data-testid="missing">${say(missing ? 'missing.game' : 'app.loading')}</p>`;
}

function game(now: Mini): TemplateResult {
  const bottom = looks.bottom ?? sideShown(now);
  const top = opposite(bottom);
  board.show(now, now.position, now.last, bottom);
  const view = { mini: now, board, now: socket.time.now(), tenths: true };
  const lost = socket.state === 'lost' && now.status !== 'over';
  return html`<div class="embed" data-testid="embed" data-ply=${now.ply} data-status=${now.status} data-line=${socket.state}>
    <h1 class="unseen">${spoken(now)}</h1>
    ${playerLine(now, top, timeOf(view, top))}
    <div class="embed-board">${board.element}</div>
    ${playerLine(now, bottom, timeOf(view, bottom))}
    <p class="embed-foot">
      <span data-testid="embed-state">${lost ? say('line.lost') : now.status === 'over' ? html`<b>${resultOf(now)}</b> ${endOf(now)}` : delayText(now, 'public')}</span>
      <a href="/game/${now.g}" target="_blank" rel="noopener" data-testid="embed-link">${say('embed.link')}</a>
    </p>
  </div>`;
}
