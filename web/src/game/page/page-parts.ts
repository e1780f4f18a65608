/** The parts of a game's page, wired to each other. */

import { AccessLayer } from '../../access/access-layer';
import type { App } from '../../app';
import { MUST_CAPTURE } from '../../board/core/play-board';
import type { Settings } from '../../settings/settings';
import type { GameStore } from '../../state/game-store';
import type { GameExtension, ParentPage } from '../play/extension';
import { askHint, Hints } from '../play/hints';
import { MoveController } from '../play/move-controller';
import { OpponentAbsence } from '../play/opponent-absence';
import { Seat } from '../play/seat';
import { SoundCues } from '../play/sound-cues';
import { NavigationInput } from '../replay/navigation-input';
import { PlyNavigation } from '../replay/ply-navigation';
import { Replayer } from '../replay/replayer';
import { ActionBar } from '../view/actions';
import type { ByLaws } from '../view/by-laws';
import { Chat } from '../view/chat';
import { Clocks } from '../view/clocks';
import { GameTools } from '../view/game-tools';
import type { GameParts } from '../view/layout';
import { GameNotices } from '../view/notices';
import { say } from '../../words/words';

/** What the parts ask of the page. */
export interface PageActions {
  /** Look for another opponent on the same terms. */
  again(): void;
  /** Open the form of a new game with the terms of this one. */
  create(): void;
  rematch(): void;
  flip(): void;
  escape(): void;
  /** The settings, without text mode if the game has none. */
  settings(): Settings;
  extension(): GameExtension | null;
}

export class PageParts implements GameParts {
  readonly navigation: PlyNavigation;
  readonly replayer: Replayer;
  readonly absence = new OpponentAbsence();
  readonly notices: GameNotices;
  readonly seat: Seat;
  readonly soundCues: SoundCues;
  readonly clocks: Clocks;
  readonly mover: MoveController;
  readonly chat: Chat;
  readonly hints: Hints;
  readonly actions: ActionBar;
  readonly access: AccessLayer;
  readonly tools: GameTools;
  readonly input: NavigationInput;
  laws: ByLaws | null = null;
  private readonly premoves: MutationObserver;

  constructor(app: App, id: string, store: GameStore, parent: ParentPage | null, page: PageActions) {
    const changed = () => app.changed();
    const plies = () => store.game?.moves.length ?? null;
    this.navigation = new PlyNavigation(changed);
    this.replayer = new Replayer(this.navigation, changed);
    this.notices = new GameNotices(changed);
    this.seat = new Seat(app.socket, store, () => parent?.hosts ?? page.extension()?.hosts?.() ?? null, () => app.secondSeat);
    this.soundCues = new SoundCues(app.sounds);
    this.clocks = new Clocks(app.socket.time, app.settings, this.soundCues);
    this.mover = new MoveController(app, id, store, this.seat, this.navigation, this.soundCues, () => page.extension());
    this.mover.gameBoard.board.element.addEventListener(MUST_CAPTURE, () => {
      this.notices.tell(say('news.capture'));
      changed();
    });
    // Premoves are made and cancelled on the board.
    this.premoves = new MutationObserver(changed);
    this.premoves.observe(this.mover.gameBoard.board.element, { attributeFilter: ['data-premove'] });
    this.chat = new Chat(app, `game:${id}`);
    const ask = () => app.attempt(() => askHint(app.socket, id));
    this.hints = new Hints(ask, () => store.game, changed);
    this.actions = new ActionBar(app, id, page, this.hints, parent, (text) => this.access.tell(text));
    this.tools = new GameTools(app, () => page.flip(), parent === null);
    const { mover, navigation } = this;
    this.access = new AccessLayer({
      drop: (moves, draw) => mover.drop(moves, false, draw),
      setPremove: (move) => mover.setPremove(move),
      confirm: (yes) => mover.confirm(yes),
      choose: (letter) => mover.choose(letter),
      send: (message) => void this.actions.send(message),
      again: () => page.again(),
      rematch: () => page.rematch(),
      flip: () => page.flip(),
      touch: (square) => this.laws?.touch(square),
      hint: () => void this.hints.request(),
      look: (ply) => navigation.go(ply, plies() ?? 0),
      settings: () => page.settings(),
      textMode: (on) => app.settings.set('textMode', on),
      notice: (text) => this.notices.tell(text),
      changed,
    });
    this.input = new NavigationInput(mover.gameBoard.board.element, navigation, {
      plies,
      flip: () => page.flip(),
      zen: () => parent ?? app.settings.set('zen', !app.settings.now.zen),
      // A page around the game has the key.
      hint: () => parent ?? this.access.hint(),
      escape: () => page.escape(),
      typing: () => (parent || page.settings().textMode ? null : document.querySelector<HTMLInputElement>('.typing input')),
    });
  }

  close(): void {
    const { replayer, input, access, actions, notices, tools, mover } = this;
    this.premoves.disconnect();
    this.laws?.close();
    for (const part of [replayer, input, access, actions, notices, tools, mover.gameBoard.board]) part.close();
  }
}
