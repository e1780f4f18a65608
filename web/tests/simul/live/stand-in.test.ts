import { describe, expect, it } from 'vitest';
import type { SimulSnapshot } from '../../../src/net/protocol';
import { standInNotice } from '../../../src/simul/live/stand-in';
import { person, snapshot } from '../boards';

const asked = (you: SimulSnapshot['you'], more: Partial<SimulSnapshot> = {}) => standInNotice(snapshot({ you, stand_in: person('Deputy'), ...more }))?.ask?.t ?? null;

describe('the notice about the stand-in', () => {
  it('says nothing without one, and to others only once they play', () => {
    expect(standInNotice(snapshot({ you: 'host' }))).toBeNull();
    expect(standInNotice(snapshot({ you: 'host', stand_in: null }))).toBeNull();
    for (const you of [null, 'player', 'applicant'] as const) {
      expect(standInNotice(snapshot({ you, stand_in: person('Deputy'), offered: true }))).toBeNull();
      const told = standInNotice(snapshot({ you, stand_in: person('Deputy'), acting: true }))!;
      expect(told.text).toContain('Deputy');
      expect(told.ask).toBeUndefined();
    }
  });

  it('lets the host withdraw what they have offered, and take back what they have handed over', () => {
    expect(standInNotice(snapshot({ you: 'host', stand_in: person('Deputy') }))).toBeNull();
    expect(asked('host', { offered: true })).toBe('simul.take_over');
    expect(asked('host', { acting: true })).toBe('simul.take_over');
  });

  it('lets the stand-in take over when the host is away or asks for it, else step down', () => {
    expect(asked('stand_in')).toBe('simul.leave');
    expect(asked('stand_in', { away_since: 5 })).toBe('simul.take_over');
    expect(asked('stand_in', { offered: true })).toBe('simul.take_over');
    expect(asked('stand_in', { acting: true })).toBe('simul.hand_over');
  });
});
