/** Layout of a game: the board between the players, moves and actions, chat beside it. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { AccessLayer } from '../../access/access-layer';
import type { App } from '../../app';
import { material } from '../../board/material';
import { browserStorage } from '../../browser/storage';
import type { Color, GameSnapshot } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { writePlain } from '../../notation/write-move';
import { hintText } from '../../state/hints';
import { ClickGuard } from '../../ui/click-guard';
import { abilitiesOf } from '../../variants/registry';
import { say } from '../../words/words';
import type { GameExtension } from '../play/extension';
import type { Hints } from '../play/hints';
import type { MoveController } from '../play/move-controller';
import type { OpponentAbsence } from '../play/opponent-absence';
import type { Seat } from '../play/seat';
import type { PlyNavigation } from '../replay/ply-navigation';
import type { Replayer } from '../replay/replayer';
import { about } from './about';
import { AboutPlayer } from './about-player';
import type { ActionBar } from './actions';
import type { ByLaws } from './by-laws';
import type { Chat } from './chat';
import type { Claim } from './claims';
import type { Clocks } from './clocks';
import { Flags } from './flags';
import type { GameTools } from './game-tools';
import { matchScore } from './match-score';
import { movesList, stepper } from './moves-list';
import type { GameNotices } from './notices';
import { playerRow } from './player-row';
import { confirmation, ending, firstMoveNotice, heldNotice, kingsNotice, premoveNotice } from './status';

export interface GameParts {
  seat: Seat;
  mover: MoveController;
  navigation: PlyNavigation;
  clocks: Clocks;
  absence: OpponentAbsence;
  notices: GameNotices;
  access: AccessLayer;
  hints: Hints;
  actions: ActionBar;
  tools: GameTools;
  chat: Chat;
  replayer: Replayer;
  /** Of a game by the Laws; null in others. */
  laws: ByLaws | null;
}

export class GameLayout {
  private readonly aboutPlayer: AboutPlayer;
  private readonly flags: Flags;
  private readonly clickGuard: ClickGuard;

  constructor(
    private readonly app: App,
    id: string,
    private readonly parts: GameParts,
    private readonly extension: () => GameExtension | null,
    /** The game is part of a page. */
    private readonly part: boolean,
  ) {
    this.aboutPlayer = new AboutPlayer(app, id, () => parts.seat.playing());
    this.flags = new Flags(() => app.changed());
    this.clickGuard = new ClickGuard(() => app.changed());
  }

  /** The game, with the board as it was after `shown` half-moves. */
  draw(game: GameSnapshot, shown: number): TemplateResult {
    const { seat, mover, access, tools, laws } = this.parts;
    const own = seat.ownSides();
    const bottom = seat.bottom(game);
    const { kind } = mover.gameBoard;
    const score = scoreOf(game, own);
    const facts = about({ game, own, score, tools: tools.draw(game), changed: () => this.app.changed() });
    const chat = this.talk(game);
    // On a phone the bar of the places comes with the end, where a finger may have been on its way to the board.
    const settles = !seat.playing() && !this.clickGuard.isReady('places');
    this.clickGuard.sweep();
    return html`${access.heading(this.part)}
      <div class="game" data-testid="game" data-status=${game.status} data-seq=${game.seq} ?data-playing=${seat.playing()} ?data-settles=${settles} ?data-hall=${laws?.bar(game, bottom, 'bottom') != null} ?data-far-turned=${laws?.turnsFarPieces()}>
        ${laws?.bar(game, opposite(bottom), 'top') ?? this.player(game, opposite(bottom), 'top', shown)}
        <div class="field">
          ${mover.gameBoard.board.element} ${kind && this.extension()?.boardMarks(bottom, kind)} ${access.overlay()}
          ${kind?.chooser(mover.pending.choosing, mover.gameBoard.leaps, bottom, (value) => mover.choose(value))} ${laws?.chooser(game, bottom) ?? nothing}
          ${this.extension()?.overlay?.()}
        </div>
        ${laws?.bar(game, bottom, 'bottom') ?? this.player(game, bottom, 'bottom', shown)} ${this.sheet(game, own, shown)}
        <aside class="beside">${this.extension()?.beside?.(facts, { drawn: chat, heard: this.parts.chat.heard }) ?? html`${facts} ${chat}`}</aside>
      </div>
      ${this.aboutPlayer.panel()}`;
  }

  /** The confirmation of the move that waits. */
  question(game: GameSnapshot): TemplateResult | typeof nothing {
    const { mover } = this.parts;
    const board = mover.gameBoard.at(game.moves.length, game);
    return confirmation(mover.pending.confirming, board, this.app.settings.now, (yes) => mover.confirm(yes));
  }

  /** No chat with oneself, nor for a stand-in who plays: that of the players is the host's, in the other the game is discussed. */
  talk(game: GameSnapshot): TemplateResult | typeof nothing {
    const { seat, chat } = this.parts;
    const { user } = this.app.socket;
    const own = seat.ownSides();
    const isHeld = user === null || own.every((side) => game.players[side].user?.id === user.id);
    return own.length === 2 || !isHeld ? nothing : chat.draw(game);
  }

  /** The moves, the game's status, and the actions. */
  private sheet(game: GameSnapshot, own: Color[], shown: number): TemplateResult {
    const { seat, mover, navigation, absence, notices, access, actions, chat, replayer, laws } = this.parts;
    const { premove } = mover.gameBoard.board;
    const isTalk = this.talk(game) !== nothing;
    const plies = game.moves.length;
    const go = (ply: number) => navigation.go(ply, plies);
    const writing = this.app.settings.now;
    return html`<div class="sheet">
      ${this.extension()?.strip(game) ?? nothing} ${(own.length !== 1 && laws?.line(game, own)) || nothing} ${laws?.signatures(game, own) ?? nothing} ${laws?.sheet(game, own) ?? movesList(game, shown, writing, go)} ${stepper(plies, shown, game.status === 'over', go)}
      ${replayer.draw(game) ?? nothing} ${ending(game, seat.side())} ${kingsNotice(game)}
      ${actions.draw({
        game,
        own,
        loggedOut: seat.loggedOut(),
        claim: this.claim(game, own),
        absence,
        asked: this.question(game),
        news: notices.text,
        hint: this.hint(game),
        premove: premove === null ? nothing : premoveNotice(writePlain(premove, mover.gameBoard.at(plies, game), writing), () => mover.setPremove(null)),
        standing: this.standing(game, own),
        chat: this.part || !isTalk || this.extension()?.beside !== undefined ? nothing : chat.opener(),
        laws,
        leaveZen: writing.zen && seat.playing() ? () => this.app.settings.set('zen', false) : null,
      })}
      ${seat.playing() && abilitiesOf(game.variant).textMode ? access.input() : nothing}
    </div>`;
  }

  private hint(game: GameSnapshot): string {
    const { hints, mover } = this.parts;
    if (hints.isAsked(game)) return say('hint.asked');
    const hint = hints.current(game);
    return hint === null ? '' : hintText(hint, writePlain(hint.move, mover.gameBoard.at(game.moves.length, game), this.app.settings.now));
  }

  private standing(game: GameSnapshot, own: readonly Color[]): TemplateResult | typeof nothing {
    const byLaws = this.parts.laws?.line(game, own);
    if (byLaws !== undefined && !game.clock?.held) return byLaws;
    const awaited = firstMoveNotice(game, own, this.app.socket.time.now());
    return awaited === nothing ? heldNotice(game) : awaited;
  }

  /** What the person could claim as a draw, on their turn and while no move is on its way. */
  private claim(game: GameSnapshot, own: Color[]): Claim | null {
    const { mover } = this.parts;
    const { gameBoard, pending } = mover;
    if (!abilitiesOf(game.variant).claims || own.length !== 1 || own[0] !== game.turn || game.status !== 'live' || pending.sent !== null) return null;
    // By the Laws, touching a piece takes the right to claim (9.4).
    if (game.laws && (game.laws.touched.length > 0 || game.laws.made !== null)) return null;
    const moves = gameBoard.claimableWith(game);
    const one = moves.length === 1 ? moves[0]! : null;
    const board = gameBoard.at(game.moves.length, game);
    return {
      now: gameBoard.isClaimable(game),
      one: one === null ? null : { text: writePlain(one, board, this.app.settings.now), claim: () => mover.claimWith(one) },
      many: moves.length > 1,
      armed: mover.claiming,
      arm: (on) => mover.claim(on),
    };
  }

  private player(game: GameSnapshot, color: Color, place: 'top' | 'bottom', shown: number): TemplateResult {
    const { seat, mover, clocks, actions, laws } = this.parts;
    const own = seat.ownSides();
    return playerRow({
      game: this.extension()?.withPresence?.(game) ?? game,
      color,
      place,
      material: material(mover.gameBoard.at(shown, game), mover.gameBoard.at(0, game))[color],
      clock: clocks.faces[color],
      note: laws?.note(game, color) ?? '',
      more: own.length === 1 && own[0] !== color ? (laws?.flagButton(game, own[0]!) ?? actions.moreTime(game, own)) : nothing,
      about: (user, side) => this.aboutPlayer.draw(user, side),
      flag: (country) => this.flags.draw(country),
    });
  }
}

/** The match score, the player's own points first; null if there is none. */
function scoreOf(game: GameSnapshot, own: readonly Color[]): string | null {
  const tab = browserStorage('session');
  return tab && own.length < 2 ? matchScore(tab, game, own[0] ?? 'w') : null;
}
