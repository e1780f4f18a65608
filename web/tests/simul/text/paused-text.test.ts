import { describe, expect, it } from 'vitest';
import { pausedText } from '../../../src/simul/text/paused-text';
import { person, snapshot } from '../boards';

describe('an absence', () => {
  const away = { away_since: 5, stand_in: person('d') };

  it('is that of the host', () => {
    expect(pausedText(snapshot(away))).toContain('The host has been away');
    expect(pausedText(snapshot({ ...away, you: 'stand_in' }))).toContain('The host has been away');
    expect(pausedText(snapshot({ ...away, you: 'host' }))).toContain('You were away');
  });

  it('is that of the stand-in while they play', () => {
    const acting = { ...away, acting: true };
    expect(pausedText(snapshot(acting))).toContain('Guest d has been away');
    expect(pausedText(snapshot({ ...acting, you: 'host' }))).toContain('Guest d has been away');
    expect(pausedText(snapshot({ ...acting, you: 'stand_in' }))).toContain('You were away');
  });
});
