/** Typed commands and text mode of games by the Laws. */

import { seat, type AccessibleGame, type LawsAccess } from '../../access/accessible-game';
import type { Answer } from '../../access/answer';
import type { GameKind } from '../../board/core/game-kind';
import type { Color, GameSnapshot, Outgoing } from '../../net/protocol';
import type { Placement } from '../../notation/pieces';
import type { WritingStyle } from '../../notation/write-move';
import { sayLaws } from '../../words/laws';
import { say } from '../../words/words';
import type { Action } from '../view/action';
import { moveText } from './hands';
import { lineOf } from './lines';
import { isReady, stageOf } from './stage';

/** What the commands need of the game. */
export interface CommandedGame {
  press(color: Color): Promise<void>;
  actionsOf(game: GameSnapshot, me: Color): Action[];
  boardAt(game: GameSnapshot): { kind: GameKind; base: Placement } | null;
  writing(): WritingStyle;
}

const NOT_HERE: readonly string[] = ['takeback', 'undo', 'abort', 'moretime', 'pause', 'resume', 'hint', 'h'];

const HELP = ['press', 'touch', 'adjust', 'draw', 'illegal', 'flag'] as const;

/** Commands of the buttons that have their own. */
const WORDS: Readonly<Record<string, string>> = { illegal: 'claim illegal' };

export class LawsCommands implements LawsAccess {
  /** In the position after these moves a claim was asked for. */
  private asked: readonly string[] | null = null;

  constructor(private readonly game: CommandedGame) {}

  answer(word: string, argument: string, table: AccessibleGame): Answer | null {
    const me = seat(table);
    const { game, kind } = table;
    const { laws } = game;
    if (me === null || !laws || game.status === 'over') return null;
    if (NOT_HERE.includes(word)) return { tell: sayLaws('command.not-here') };
    const send = (message: Outgoing): Answer => ({ send: message });
    const mine = game.turn === me;
    switch (word) {
      case 'press':
        if (!mine) return { tell: sayLaws('command.not-yours') };
        void this.game.press(me);
        return { tell: sayLaws('told.pressed') };
      case 'touch':
        if (kind.lattice.placeOf(argument) === null) return { tell: sayLaws('command.no-square') };
        return mine ? send({ t: 'touch', square: argument }) : { tell: sayLaws('command.not-yours') };
      case 'adjust':
        return mine ? send({ t: 'signal', on: !laws.adjusting }) : { tell: sayLaws('command.not-yours') };
      case 'flag':
        return laws.flag === 'claim' ? send({ t: 'flag' }) : { tell: sayLaws('command.server-flag') };
      case 'claim':
        if (argument === '' || argument === 'draw') return this.claimDraw(game);
        if (!['illegal', 'correction'].includes(argument.toLowerCase())) return null;
        return laws.may_claim && mine ? send({ t: 'claim', what: 'illegal_move' }) : { tell: sayLaws('command.no-claim') };
      case 'draw':
        // The opponent's offer is accepted at any time.
        return stageOf(game, me) === 'made' || (game.offers.draw !== null && game.offers.draw !== me) ? null : { tell: sayLaws('command.first-move') };
      default:
        return null;
    }
  }

  space(table: AccessibleGame): boolean {
    const me = seat(table);
    if (me === null || !isReady(table.game, me)) return false;
    void this.game.press(me);
    return true;
  }

  /** A wrong claim is punished: it takes a second word in the same position. */
  private claimDraw({ moves }: GameSnapshot): Answer | null {
    if (this.asked === moves) return null;
    this.asked = moves;
    return { tell: sayLaws('command.claim-again') };
  }

  byHand(text: string, { game }: AccessibleGame): string | null {
    const at = this.game.boardAt(game);
    const [, from = '', to = ''] = /^([a-q]?\d{1,2})[-x:]?([a-q]?\d{1,2})$/i.exec(text.trim().toLowerCase()) ?? [];
    if (at === null || at.kind.lattice.placeOf(from) === null || at.kind.lattice.placeOf(to) === null || from === to) return null;
    const { kind, base } = at;
    if (base.get(from)?.color !== game.turn || base.get(to)?.color === game.turn) return null;
    return moveText(kind, base, from, to);
  }

  lines({ game, own }: AccessibleGame): string[] {
    const { laws } = game;
    if (!laws || game.status === 'over') return [];
    const counts = (['w', 'b'] as const)
      .filter((color) => laws.illegal[color] > 0)
      .map((color) => `${say(`side.${color}`)}: ${sayLaws('illegal.count', { n: laws.illegal[color] })}.`);
    return [lineOf(game, own, this.game.writing()), ...counts];
  }

  buttons(table: AccessibleGame): { name: string; text: string; word: string }[] {
    const me = seat(table);
    if (me === null) return [];
    const actions = this.game.actionsOf(table.game, me).filter(({ off }) => off !== true);
    const press = table.game.turn === me ? [{ name: 'press', text: sayLaws('press'), word: 'press' }] : [];
    return [...press, ...actions.map(({ name, label }) => ({ name, text: label, word: WORDS[name] ?? name }))];
  }

  help(): string[] {
    return HELP.map((name) => sayLaws(`command.${name}`));
  }
}
