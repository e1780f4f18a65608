import { describe, expect, it, test } from 'vitest';
import { groundOf } from '../../../src/board/draughts/ground';
import { at, difference } from '../../../src/board/ground/pieces';

const STARTS = {
  international: 'W:W31-50:B1-20',
  classic: 'B:W21-32:B1-12',
  english: 'B:W21-32:B1-12',
  italian: 'W:W21-32:B1-12',
};

describe('the board of draughts', () => {
  it.each(['international', 'classic', 'english', 'italian'] as const)('sets up %s as its FEN says', (name) => {
    expect(groundOf(name).start).toBe(STARTS[name]);
    expect(groundOf(`losing-${name}`).start).toBe(STARTS[name]);
  });

  it('names squares by coordinates where the game does', () => {
    const board = groundOf('russian').placement(groundOf('russian').start);
    expect([...board].filter(([, { color }]) => color === 'w').map(([square]) => square).sort()).toEqual(
      ['a1', 'a3', 'b2', 'c1', 'c3', 'd2', 'e1', 'e3', 'f2', 'g1', 'g3', 'h2'],
    );
    const turkish = groundOf('turkish').placement(groundOf('turkish').start);
    expect(turkish.size).toBe(32);
    expect(turkish.get('a2')).toEqual({ role: 'm', color: 'w' });
    expect(turkish.has('a1')).toBe(false);
    expect(turkish.get('h7')).toEqual({ role: 'm', color: 'b' });
  });

  it('has a dark square at White’s left, in Italian a light one', () => {
    const corner = (name: string) => [...groundOf(name).places.values()].some(({ column, row }) => column === 0 && row === groundOf(name).rows - 1);
    expect(['international', 'english', 'russian', 'brazilian', 'classic'].map(corner)).toEqual([true, true, true, true, true]);
    expect(corner('italian')).toBe(false);
    expect(groundOf('italian').places.get('1')).toMatchObject({ column: 0, row: 0 });
    expect(groundOf('international').places.get('46')).toMatchObject({ column: 0, row: 9 });
  });

  it.each([
    ['international', 'B:W28,K5,K33:B1-4,6,7,9,K50'],
    ['russian', 'W:We5,c3,Ka1:Bh8'],
    ['turkish', 'B:Wc4,Kd8:Ba6,Kh1'],
    ['english', 'W:W:B1'],
  ])('reads and writes positions of %s', (name, fen) => {
    const ground = groundOf(name);
    expect(ground.write(ground.placement(fen), fen.charAt(0) === 'W' ? 'w' : 'b')).toBe(fen);
  });

  it('shows nothing of what is no position of it', () => {
    for (const fen of ['', 'x', 'W:Wz9,99,K:B', 'rnbqkbnr/8 w - -', 'W:W1-999999999:B']) {
      expect([...groundOf('international').placement(fen).keys()].filter((square) => !groundOf('international').places.has(square))).toEqual([]);
    }
  });

  test('a man becomes a king where its game has it so', () => {
    const man = { role: 'm', color: 'w' } as const;
    const king = { role: 'd', color: 'w' } as const;
    expect(groundOf('international').afterMove(man, ['5', '14'])).toBe(man);
    expect(groundOf('international').afterMove(man, ['14', '5'])).toEqual(king);
    expect(groundOf('russian').afterMove(man, ['d8', 'f6'])).toEqual(king);
    expect(groundOf('brazilian').afterMove(man, ['d8', 'f6'])).toBe(man);
    expect(groundOf('english').afterMove({ role: 'm', color: 'b' }, ['29'])).toEqual({ role: 'd', color: 'b' });
    expect(groundOf('turkish').afterMove(king, ['d4'])).toBe(king);
  });

  test('a piece may be moved ahead to where it could ever go', () => {
    const man = { role: 'm', color: 'w' } as const;
    const { reaches, places } = groundOf('english');
    const from = (square: string, piece: { role: 'm' | 'd'; color: 'w' | 'b' } = man) => [...places.keys()].filter((to) => reaches(piece, square, to));
    expect(from('29')).toEqual(expect.arrayContaining(['25', '22']));
    expect(from('29')).not.toContain('29');
    expect(from('29')).not.toContain('26');
    expect(from('22', { role: 'm', color: 'b' })).toEqual(expect.arrayContaining(['25', '26']));
    expect(groundOf('international').reaches({ role: 'd', color: 'w' }, '46', '5')).toBe(true);
    expect(groundOf('turkish').reaches(man, 'c3', 'd3')).toBe(true);
    expect(groundOf('turkish').reaches(man, 'c3', 'c2')).toBe(false);
    expect(groundOf('turkish').reaches(man, 'c3', 'd4')).toBe(false);
  });
});

test('a piece is where its place is, from either side', () => {
  const ground = groundOf('international');
  expect(at(ground, '46', 'w')).toBe('translate(0cqw, 90cqw)');
  expect(at(ground, '46', 'b')).toBe('translate(90cqw, 0cqw)');
});

test('from one position to the next the fewest pieces are touched', () => {
  const { placement } = groundOf('international');
  const step = difference(placement('W:W32:B19,20'), placement('B:W28:B19,20'));
  expect(step).toEqual({ moved: [{ from: '32', to: '28', piece: { role: 'm', color: 'w' } }], gone: [], come: [] });
  const crowned = difference(placement('W:W10:B4'), placement('B:WK5:B'));
  expect(crowned.moved).toEqual([{ from: '10', to: '5', piece: { role: 'd', color: 'w' } }]);
  expect(crowned.gone).toEqual(['4']);
});
