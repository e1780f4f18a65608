/** Answers about the squares of a board. */

import { describe, expect, it } from 'vitest';
import type { AccessibleGame } from '../../src/access/accessible-game';
import { SquareQueries } from '../../src/access/square-queries';
import { tellTaken } from '../../src/access/tell';
import { groundOf as draughts } from '../../src/board/draughts/ground';
import { groundKind } from '../../src/board/ground/kind';
import { table } from './accessible-game';

const international = groundKind(draughts('international'));

function survey(at: AccessibleGame) {
  const made = new SquareQueries();
  made.show(at, at.kind.placement(at.position), at.legal && at.kind.destinations(at.legal, at.game));
  return made;
}

const chess = (more: Partial<AccessibleGame> = {}) =>
  table({ moves: ['e2e4', 'd7d5'], position: 'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2' }, ['w'], { legal: ['e4d5', 'e4e5'], ...more });
const draught = (more: Partial<AccessibleGame> = {}) =>
  table({ game: 'draughts', variant: 'international', moves: ['32-28', '19-23'], position: 'W:W28,33,K47:B23,K14' }, ['w'], {
    kind: international,
    legal: ['28x19', '28x10', '33-29'],
    leaps: { '28x19': [{ path: ['19'], taken: ['23'] }], '28x10': [{ path: ['19', '10'], taken: ['23', '14'] }] },
    ...more,
  });

describe('a square', () => {
  it('says what stands on it, and its colour where squares have two', () => {
    expect(survey(chess()).describe('e4')).toBe('e4, white pawn, light');
    expect(survey(chess()).describe('d4')).toBe('d4, empty, dark');
    expect(survey(draught()).describe('47')).toBe('47, white king');
    expect(survey(draught()).describe('1')).toBe('1, empty');
  });

  it('says where its piece may go', () => {
    expect(survey(chess()).moves('e4', false)).toBe('pawn on e4: d5 capturing pawn, e5');
    expect(survey(chess()).moves('e4', true)).toBe('pawn on e4: d5 capturing pawn');
    expect(survey(chess()).moves('a2', false)).toContain('a2');
    expect(survey(draught()).moves('28', true)).toBe('man on 28: 10 capturing man, king, 19 capturing man');
    expect(survey(draught()).moves('33', true)).toContain('33');
  });

  it('says that it is not the time to ask', () => {
    const other = survey(chess({ legal: null }));
    const back = survey(chess({ legal: null, shown: 1 }));
    expect(other.moves('e4', false)).not.toBe(back.moves('e4', false));
  });

  it('tells of its lines, one after the other, and of who attacks it', () => {
    const at = survey(chess());
    const first = at.along('e4', false, false);
    expect(first).toContain('e4');
    expect(at.along('e4', false, false)).not.toBe(first);
    expect(survey(chess({ bottom: 'b' })).along('e4', false, false)).not.toBe(first);
    expect(at.attacked('e4')).toContain('black pawn d5');
    expect(at.attacked('g8')).toContain('black rook h8');
  });
});

describe('the last move', () => {
  it.each<[string, AccessibleGame, string]>([
    ['nothing', table({ moves: [] }), 'No capture'],
    ['no capture', chess(), 'No capture'],
    ['a capture', table({ moves: ['e2e4', 'd7d5', 'e4d5'] }), 'black pawn'],
    ['several', draught({ game: { ...draught().game, fen: 'W:W28:B23,K14', moves: ['28x10'], leaps: [{ path: ['19', '10'], taken: ['23', '14'] }] } }), 'black man, black king'],
  ])('has taken %s', (_, at, words) => {
    expect(tellTaken(at)).toContain(words);
  });
});
