import { describe, expect, it } from 'vitest';
import { retryOnConflict } from '../../../src/game/play/retry-on-conflict';
import { Refused, type Outgoing } from '../../../src/net/protocol';

const MOVE = { t: 'move', g: 'g1', move: 'e7e5', ply: 1 } satisfies Outgoing;
const PREPARE = { t: 'simul.prepare', simul: 's1', g: 'g1', move: 'e7e5', ply: 1 } satisfies Outgoing;
const other = (asked: Outgoing) => (asked.t === 'move' ? PREPARE : MOVE);

/** A server that answers with these codes in turn, then accepts. */
function server(...codes: string[]) {
  const asked: string[] = [];
  const change = async (message: Outgoing) => {
    asked.push(message.t);
    const code = codes[asked.length - 1];
    if (code) throw new Refused(code, 'no');
  };
  return { asked, change };
}

describe('a move of a board where somebody comes and goes', () => {
  it('is asked for once where it is taken', async () => {
    const { asked, change } = server();
    expect(await retryOnConflict(MOVE, change, other)).toBe(MOVE);
    expect(asked).toEqual(['move']);
  });

  it('is made ready when the host has just gone, and played when he has just come', async () => {
    const { asked, change } = server('conflict', 'conflict');
    expect((await retryOnConflict(PREPARE, change, other)).t).toBe('simul.prepare');
    expect(asked).toEqual(['simul.prepare', 'move', 'simul.prepare']);
  });

  it('is not asked for without end', async () => {
    const { asked, change } = server(...Array<string>(9).fill('conflict'));
    await expect(retryOnConflict(MOVE, change, other)).rejects.toThrow(Refused);
    expect(asked).toHaveLength(4);
  });

  it('is not asked for again where it cannot be, or where there is no other way', async () => {
    const illegal = server('illegal_move');
    await expect(retryOnConflict(MOVE, illegal.change, other)).rejects.toThrow(Refused);
    const conflict = server('conflict');
    await expect(retryOnConflict(MOVE, conflict.change, () => null)).rejects.toThrow(Refused);
    expect([illegal.asked, conflict.asked]).toEqual([['move'], ['move']]);
  });
});
