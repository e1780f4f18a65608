import { expect, it } from 'vitest';
import type { SimulCard } from '../../../src/net/protocol';
import { simulRows } from '../../../src/simul/text/rows';
import { text } from '../../ui/template-text';
import { person } from '../boards';

const DRAUGHTS = ['russian', 'english', 'italian'].map((variant) => ({ game: 'draughts', variant }));

it('a few variants are named, many counted', () => {
  const score = { wins: 0, draws: 0, losses: 0, live: 1, aborted: 0 };
  const card = { simul: 's1', name: 'Club evening', host: person('host'), status: 'running', tc: null, mode: 'clock', rated: false, boards: 1, score };
  const drawn = (variants: object[]) => {
    let row = '';
    simulRows([{ ...card, variants } as unknown as SimulCard], 0).values.forEach((value) => (row += JSON.stringify(value, (_, part: unknown) => (typeof part === 'function' ? undefined : part))));
    return row + text(simulRows([{ ...card, variants } as unknown as SimulCard], 0));
  };
  expect(drawn(DRAUGHTS)).not.toContain('variants');
  expect(drawn([...DRAUGHTS, { game: 'chess', variant: 'standard' }])).toContain('4 variants');
});
