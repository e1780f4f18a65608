import { beforeEach, describe, expect, it } from 'vitest';
import { GameTerms } from '../../../src/lobby/form/game-terms';
import { LawsField } from '../../../src/lobby/form/laws-field';
import { OddsField } from '../../../src/lobby/form/odds-field';
import { OpponentField } from '../../../src/lobby/form/opponent-field';
import { PositionField } from '../../../src/lobby/form/position-field';
import { remembered, type Choices } from '../../../src/lobby/form/remembered';
import { StartField } from '../../../src/lobby/form/start-field';
import { SettingsStore } from '../../../src/settings/store';

const FEN = '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1';
const nothing = () => undefined;

describe('what the form asks for', () => {
  let chosen: Choices;
  let guest: boolean;

  beforeEach(() => {
    chosen = remembered(null, ['standard']);
    guest = false;
  });

  const terms = (fen = '') =>
    new GameTerms(
      chosen,
      {
        opponent: new OpponentField(null, chosen.range, nothing),
        odds: new OddsField(nothing),
        start960: new StartField(nothing),
        position: new PositionField(nothing, nothing, fen),
        laws: new LawsField(null, new SettingsStore(null), nothing),
      },
      () => guest,
    );

  it('is rated unless something stands against it', () => {
    expect([terms().rated(), terms().whyCasual()]).toEqual([true, null]);
    expect([terms(FEN).rated(), terms(FEN).whyCasual()]).toEqual([false, 'create.start.hint']);
    guest = true;
    expect([terms().rated(), terms().whyCasual()]).toEqual([false, 'create.rated.hint']);
    guest = false;
    chosen.tempo.pick = 'none';
    expect(terms().whyCasual()).toBe('create.none.hint');
    chosen.rated = false;
    chosen.tempo.pick = 'days';
    expect([terms().rated(), terms().whyCasual()]).toEqual([false, null]);
  });

  it('is a seek, an invitation or both sides, on the same terms', () => {
    const base = { game: 'chess', variant: 'standard', color: 'random', rules: 'online' };
    expect(terms().seek()).toMatchObject({ ...base, t: 'seek', rated: true, min_rating: null });
    expect(terms(FEN).isSpecial()).toBe(true);
    expect(terms(FEN).invitation(null)).toMatchObject({ ...base, t: 'challenge', rated: false, fen: FEN });
    expect(terms(FEN).invitation(null)).not.toHaveProperty('to');
    expect(terms().invitation('Anna')).toMatchObject({ t: 'challenge', to: 'Anna', rated: true });
    expect(terms().passAndPlay()).toMatchObject({ ...base, t: 'challenge', to: 'self', rated: false });
  });

  it('is a casual game against a robot, seen at once', () => {
    chosen.later = '5 min';
    expect(terms(FEN).robot({ level: 4, hints: false })).toEqual({
      t: 'challenge', to: 'robot', level: 4, game: 'chess', variant: 'standard', color: 'random', rated: false, rules: 'online',
      tc: { base_s: 300, inc_s: 0 }, fen: FEN,
    });
    expect(terms().robot({ level: 4, hints: true })).toMatchObject({ level: 4, hints: true });
  });

  it('has the rules of the variant', () => {
    chosen.rules = 'fmjd';
    expect(terms().rules()).toBe('online');
    chosen.variant = 'international';
    expect(terms().rules()).toBe('fmjd');
  });
});
