import { beforeEach, expect, it, vi } from 'vitest';
import { startTwoPlayers } from '../../../src/lobby/form/two-players';
import { Refused, type Outgoing } from '../../../src/net/protocol';
import { SecondSeat } from '../../../src/session/second-seat';

const INVITATION = { t: 'challenge', rules: 'fide' };
type Services = Parameters<typeof startTwoPlayers>[0];

let app: Services;
let sent: [who: string, message: Outgoing][];
let may: boolean;
let accepts: boolean;
let second: SecondSeat;
const open = vi.spyOn(SecondSeat, 'open');

const socketOf = (who: string) => ({
  change: (message: Outgoing) => {
    sent.push([who, message]);
    return who === 'second' && !accepts ? Promise.reject(new Refused('rate_limited', 'Too fast.')) : Promise.resolve({ challenge: 'c1' });
  },
});

beforeEach(() => {
  [sent, may, accepts] = [[], true, true];
  second = { socket: socketOf('second') } as unknown as SecondSeat;
  open.mockReset().mockImplementation(() => Promise.resolve(second));
  app = { secondSeat: null, mayStart: () => Promise.resolve(may), session: { ensure: () => Promise.resolve() }, socket: socketOf('first') } as unknown as Services;
});

it('has the second player accept the invitation of the first', async () => {
  await startTwoPlayers(app, INVITATION);
  expect(sent).toEqual([
    ['first', INVITATION],
    ['second', { t: 'challenge.accept', challenge: 'c1', laws: true }],
  ]);
  await startTwoPlayers(app, INVITATION);
  expect(app.secondSeat).toBe(second);
  expect(open).toHaveBeenCalledOnce();
});

it('withdraws the invitation when the second player is refused', async () => {
  accepts = false;
  await expect(startTwoPlayers(app, INVITATION)).rejects.toThrow(Refused);
  expect(sent.at(-1)).toEqual(['first', { t: 'challenge.cancel', challenge: 'c1' }]);
});

it('makes no guest if a host does not want to start', async () => {
  may = false;
  await expect(startTwoPlayers(app, INVITATION)).rejects.toThrow(Refused);
  expect([open.mock.calls.length, sent]).toEqual([0, []]);
});
