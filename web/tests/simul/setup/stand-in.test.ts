import type { TemplateResult } from 'lit-html';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SimulSnapshot } from '../../../src/net/protocol';
import { StandIn, standInNotice } from '../../../src/simul/setup/stand-in';
import { text } from '../../ui/template-text';
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

describe('the button of the notice', () => {
  const sent: string[] = [];
  let answer: () => void;
  let standIn: StandIn;
  const now = (more: Partial<SimulSnapshot>) => snapshot({ stand_in: person('Deputy'), ...more });

  beforeEach(() => {
    vi.useFakeTimers();
    sent.length = 0;
    const change = ({ t }: { t: string }) => {
      sent.push(t);
      return new Promise<void>((resolve) => (answer = resolve));
    };
    standIn = new StandIn({ attempt: (what: () => unknown) => what(), changed: () => undefined, socket: { change } } as never, 's1');
  });
  afterEach(() => void vi.useRealTimers());

  function press(state: SimulSnapshot): void {
    for (const click of clicks(standIn.draw(state))) click();
  }

  function pressLater(state: SimulSnapshot): void {
    standIn.draw(state);
    vi.advanceTimersByTime(400);
    press(state);
  }

  it('waits for the answer, and ignores a click meant for the button before it', async () => {
    const offered = now({ you: 'stand_in', offered: true });
    const acting = now({ you: 'stand_in', acting: true });
    press(offered);
    expect(sent).toEqual([]);
    pressLater(offered);
    press(offered);
    pressLater(acting);
    expect(sent).toEqual(['simul.take_over']);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    press(acting);
    expect(sent).toEqual(['simul.take_over', 'simul.hand_over']);
  });

  it('ignores a click at the instant when it changes', () => {
    standIn.draw(now({ you: 'stand_in', away_since: 5 }));
    vi.advanceTimersByTime(400);
    press(now({ you: 'stand_in', away_since: null }));
    expect(sent).toEqual([]);
  });

  it('asks before the stand-in steps down', () => {
    const ready = now({ you: 'stand_in' });
    pressLater(ready);
    expect(sent).toEqual([]);
    expect(text(standIn.draw(ready))).toContain('Step down?');
    press(ready);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(4_000);
    expect(text(standIn.draw(ready))).not.toContain('Step down?');
    pressLater(ready);
    pressLater(ready);
    expect(sent).toEqual(['simul.leave']);
  });

  it('keeps an empty status in the page, so that screen readers speak what comes', () => {
    const status = (state: SimulSnapshot) => text(standIn.draw(state), true);
    expect(status(snapshot())).toContain('role="status"');
    expect(status(snapshot())).toContain('unseen');
    expect(standIn.draw(snapshot()).strings).toBe(standIn.draw(now({ acting: true })).strings);
  });
});

/** The handlers of a template. */
function clicks(value: unknown): (() => void)[] {
  if (typeof value === 'function') return [value as () => void];
  if (typeof value !== 'object' || value === null || !('values' in value)) return [];
  return (value as TemplateResult).values.flatMap(clicks);
}
