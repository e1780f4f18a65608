import { describe, expect, it } from 'vitest';
import { MoveBuilder, type MoveOption } from '../../../src/board/ground/move-builder';

const step = (from: string, to: string): MoveOption => ({ move: `${from}-${to}`, from, path: [to], taken: [] });
const way = (move: string, path: string[], taken: string[]): MoveOption => ({ move, from: move.split('x')[0]!, path, taken });

function choiceOf(...ways: MoveOption[]): MoveBuilder {
  const choice = new MoveBuilder();
  choice.begin(ways);
  return choice;
}

describe('a plain step', () => {
  const begun = () => choiceOf(step('32', '28'), step('32', '27'), step('33', '28'));

  it('is two clicks', () => {
    const choice = begun();
    expect(choice.click('32')).toEqual({ did: 'took' });
    expect([...choice.targets().ends].sort()).toEqual(['27', '28']);
    expect(choice.click('28')).toMatchObject({ did: 'made', moves: ['32-28'] });
  });

  it('is another piece’s when that is clicked meanwhile, and none’s when a place is clicked where it cannot go', () => {
    const choice = begun();
    choice.click('32');
    expect(choice.click('33')).toEqual({ did: 'took' });
    expect(choice.from).toBe('33');
    expect(choice.click('1')).toEqual({ did: 'dropped' });
    expect(choice.from).toBeNull();
    expect(choice.click('1')).toEqual({ did: 'nothing' });
  });

  it('is dropped where it was taken up', () => {
    const choice = begun();
    choice.click('32');
    expect(choice.click('32')).toEqual({ did: 'dropped' });
  });
});

describe('when the moves change in the same position', () => {
  it('keeps the selected piece while it can move', () => {
    const choice = choiceOf(step('32', '28'), step('33', '28'));
    choice.click('32');
    choice.renew([step('32', '27')]);
    expect([choice.from, choice.click('27').did]).toEqual(['32', 'made']);
    choice.renew([step('33', '28')]);
    expect(choice.from).toBeNull();
  });
});

describe('a capture', () => {
  // Two paths to the same end that take different pieces.
  const left = way('47x33x24', ['33', '24'], ['38', '29']);
  const right = way('47x42x24', ['42', '24'], ['41', '30']);

  it('must be made by who is marked', () => {
    expect([...choiceOf(left, way('5x14', ['14'], ['10'])).compelled()].sort()).toEqual(['47', '5']);
    expect(choiceOf(step('32', '28')).compelled().size).toBe(0);
  });

  it('is made at once by its end where that is enough', () => {
    const choice = choiceOf(left);
    choice.click('47');
    expect([...choice.targets().landings]).toEqual(['33']);
    expect(choice.click('24')).toMatchObject({ did: 'made', moves: ['47x33x24'], way: left });
  });

  it('is led through its landings, and shows what it has taken', () => {
    const choice = choiceOf(left, right);
    choice.click('47');
    expect(choice.taking().size).toBe(0);
    expect(choice.click('42')).toEqual({ did: 'walked' });
    expect(choice.here).toBe('42');
    expect([...choice.taking()]).toEqual(['41']);
    expect([...choice.targets().ends]).toEqual(['24']);
    expect(choice.click('24')).toMatchObject({ did: 'made', moves: ['47x42x24'] });
  });

  it('asks which where its ends do not tell', () => {
    const choice = choiceOf(left, right);
    choice.click('47');
    expect(choice.click('24')).toMatchObject({ did: 'made', moves: ['47x33x24', '47x42x24'] });
  });

  it('is one move where the ways differ and what they take does not', () => {
    const choice = choiceOf(way('47x24', ['33', '24'], ['38', '29']), way('47x24', ['42', '24'], ['29', '38']));
    choice.click('47');
    expect(choice.click('24')).toMatchObject({ did: 'made', moves: ['47x24'] });
  });

  it('may end where it began', () => {
    const ring = way('32x32', ['23', '14', '21', '32'], ['28', '19', '17', '27']);
    const choice = choiceOf(ring, way('40x29', ['29'], ['34']));
    choice.click('32');
    for (const square of ['23', '14', '21']) expect(choice.click(square)).toEqual({ did: 'walked' });
    expect(choice.click('32')).toMatchObject({ did: 'made', moves: ['32x32'] });
  });

  it('walks on where one capture ends and another goes on, and ends there when told again', () => {
    const short = way('a1xe5', ['c3', 'e5'], ['b2', 'd4']);
    const long = way('a1xg7', ['c3', 'e5', 'g7'], ['b2', 'd4', 'f6']);
    const choice = choiceOf(short, long);
    choice.click('a1');
    expect(choice.click('e5')).toEqual({ did: 'walked' });
    expect(choice.targets().ends).toEqual(new Set(['e5', 'g7']));
    expect(choice.click('e5')).toMatchObject({ did: 'made', moves: ['a1xe5'] });
  });

  it('forgets where it was led when it is dropped', () => {
    const choice = choiceOf(left, right);
    choice.click('47');
    choice.click('33');
    expect(choice.click('1')).toEqual({ did: 'dropped' });
    expect(choice.walked).toEqual([]);
    choice.begin([]);
    expect(choice.any).toBe(false);
    expect(choice.go('24')).toEqual({ did: 'nothing' });
  });
});
