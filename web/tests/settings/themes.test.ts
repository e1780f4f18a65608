import { expect, test } from 'vitest';
import { RULES } from '../../src/settings/settings';
import css from '../../src/styles/themes.css?raw';

/** Relative luminance as WCAG 2.2 defines it, of `#rgb` or `#rrggbb`. */
function luminance(color: string): number {
  const digits = color.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color;
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function squares(board: string): [light: string, dark: string] {
  const rule = board === 'brown' ? ':root {' : `:root[data-board='${board}'] {`;
  const block = css.slice(css.indexOf(rule)).split('}')[0] ?? '';
  const color = (name: string) => new RegExp(`--square-${name}: (#[0-9a-f]+)`).exec(block)?.[1] ?? '';
  return [color('light'), color('dark')];
}

test.each(RULES.boardTheme.options)('the squares of %s are told apart', (board) => {
  const [light, dark] = squares(board);
  expect(contrast(light, dark)).toBeGreaterThan(board === 'contrast' ? 4.5 : 2.2);
  expect(contrast('#000', dark)).toBeGreaterThan(4);
});
