/** The table that the core is tested with too (tests/game_core/chess/test_typed_moves.py). */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Announced, Letters } from '../../src/notation/notation.gen';
import { readMove, type Reading } from '../../src/notation/read-move';
import { announce, writeMove } from '../../src/notation/write-move';

interface Case {
  position: string;
  text: string;
  language?: Letters;
  means: string | string[];
  draw?: true;
}

interface Written {
  position: string;
  move: string;
  san: string;
  short: Partial<Record<Letters, string>>;
  long: Partial<Record<Letters, string>>;
  iccf: string;
  announced: Record<Announced, string>;
}

interface Table {
  positions: Record<string, { variant: string; fen: string; legal: string[] }>;
  typed: Case[];
  written: Written[];
}

const file = await readFile(`${import.meta.dirname}/../../../tests/data/moves.json`);
const { positions, typed, written } = JSON.parse(new TextDecoder().decode(file)) as Table;

const MEANS = { illegal: 'illegal', unreadable: 'invalid' } as const;

function meaning(reading: Reading): string | string[] {
  if ('move' in reading) return reading.move;
  return 'moves' in reading ? [...reading.moves].sort() : MEANS[reading.fault];
}

function read({ position, text, language }: Pick<Case, 'position' | 'text' | 'language'>): Reading {
  const { variant, fen, legal } = positions[position]!;
  return readMove(text, legal, { variant, position: fen }, language);
}

test.each(typed.map((one) => [`${one.position}: ${one.text}`, one] as const))('%s', (_, one) => {
  const reading = read(one);
  expect(meaning(reading)).toEqual(one.means);
  if ('move' in reading) expect(reading.draw ?? false).toBe(one.draw ?? false);
});

test.each(written.map((one) => [one.san, one] as const))('%s is written in every way, and read back', (_, one) => {
  const { position, move, san, short, long, iccf, announced } = one;
  const reads = (text: string, language?: Letters) =>
    expect(meaning(read({ position, text, ...(language === undefined ? {} : { language }) })), text).toBe(move);
  for (const notation of ['short', 'long'] as const) {
    for (const [language, text] of Object.entries(notation === 'short' ? short : long) as [Letters, string][]) {
      expect(writeMove(move, san, { letters: language, notation })).toBe(text);
      reads(text, language);
    }
  }
  expect(writeMove(move, san, { letters: 'en', notation: 'iccf' })).toBe(iccf);
  reads(iccf);
  for (const [language, text] of Object.entries(announced) as [Announced, string][]) {
    expect(announce(move, san, language)).toBe(text);
    reads(text);
  }
});
