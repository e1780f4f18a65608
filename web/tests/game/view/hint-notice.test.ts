import { html, nothing } from 'lit-html';
import { expect, it } from 'vitest';
import type { OpponentAbsence } from '../../../src/game/play/opponent-absence';
import { ActionBar, type Situation } from '../../../src/game/view/actions';
import type { GameSnapshot } from '../../../src/net/protocol';
import { SNAPSHOT } from '../../state/snapshot';
import { text } from '../../ui/template-text';

const HINT = 'White is better. Try e4.';

function drawn(held: string | undefined, change: Partial<Situation> = {}): string {
  const clock = { ...SNAPSHOT.clock!, ...(held === undefined ? {} : { held }) };
  const game = { ...SNAPSHOT, hints: true, status: 'live', clock } as GameSnapshot;
  const bar = new ActionBar({ changed: () => undefined, settings: { now: {} } } as never, 'g1', {} as never, {} as never, null, () => undefined);
  const absence = { left_ms: () => null } as unknown as OpponentAbsence;
  return text(
    bar.draw({
      game, own: ['w'], loggedOut: false, claim: null, absence, asked: nothing, news: '', hint: HINT,
      standing: held === undefined ? nothing : html`Clocks stand`, premove: nothing, chat: nothing, laws: null, leaveZen: null, ...change,
    }),
  );
}

it('shows the hint, which the player has asked for', () => {
  expect(drawn(undefined)).toContain(HINT);
  expect(drawn('pause')).toContain(HINT);
  expect(drawn(undefined, { hint: '' })).not.toContain(HINT);
});

it.each(['storage', 'restart'])('shows before it why no move is possible: %s', (held) => {
  expect(drawn(held)).toContain('Clocks stand');
  expect(drawn(held)).not.toContain(HINT);
});
