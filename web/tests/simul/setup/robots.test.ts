import { nothing, type TemplateResult } from 'lit-html';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { App } from '../../../src/app';
import { fillWithRobots } from '../../../src/simul/setup/robots';
import { text } from '../../ui/template-text';
import { applicant, snapshot } from '../boards';

describe('robots for empty boards', () => {
  const sent: unknown[] = [];
  const app = {
    attempt: (what: () => Promise<unknown>) => what(),
    change: (message: unknown) => Promise.resolve(sent.push(message)),
  } as unknown as App;
  const form = (more = {}) => fillWithRobots(app, snapshot({ status: 'created', you: 'host', ...more })) as TemplateResult;

  afterEach(() => void vi.unstubAllGlobals());

  it('are of eight levels, and asked for by the level that was chosen', () => {
    const drawn = form();
    expect(text(drawn)).toContain('Level 1');
    expect(text(drawn)).toContain('Level 8');
    vi.stubGlobal('FormData', class {
      get = () => '5';
    });
    const submit = drawn.values.find((value) => typeof value === 'function') as (event: object) => void;
    submit({ preventDefault: () => undefined, target: null });
    expect(sent).toEqual([{ t: 'simul.add_robots', simul: 's1', level: 5 }]);
  });

  it('are not offered for rated games, and only while a board is empty', () => {
    expect(form({ rated: true })).toBe(nothing);
    const full = (now: object) => form(now).values.includes(true);
    expect(full({ max_boards: 1, players: [] })).toBe(false);
    expect(full({ max_boards: 1, players: [applicant('a')] })).toBe(true);
  });
});
