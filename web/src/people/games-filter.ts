/** Filter of a list of games, in the page's address and the server's parameters. */

import { SPEEDS } from '../time/speed';
import { VARIANTS } from '../variants/registry';

export const FIELDS = ['user', 'opponent', 'color', 'result', 'speed', 'variant', 'rated', 'since', 'until'] as const;
export type FieldName = (typeof FIELDS)[number];
export type Filter = Readonly<Partial<Record<FieldName, string>>>;

/** Fields that need a person. */
export const PERSONAL: readonly FieldName[] = ['opponent', 'color', 'result'];

export const OPTIONS = {
  color: ['w', 'b'],
  result: ['won', 'drawn', 'lost'],
  speed: SPEEDS,
  variant: VARIANTS,
  rated: ['1', '0'],
} as const satisfies Partial<Record<FieldName, readonly string[]>>;

const MOST_LETTERS = 32;
const DAY = /^\d{4}-\d\d-\d\d$/;

interface Values {
  get(name: string): unknown;
}

/** The valid part of `values`; a link may be old or mistyped. */
export function filterOf(values: Values): Filter {
  return Object.fromEntries(said(values).filter(([name, text]) => isFine(name, text)));
}

/** The invalid part of `values`. */
export function unfitOf(values: Values): Filter {
  return Object.fromEntries(said(values).filter(([name, text]) => !isFine(name, text)));
}

function said(values: Values): (readonly [name: FieldName, text: string])[] {
  return FIELDS.flatMap((name) => {
    const value = values.get(name);
    const text = typeof value === 'string' ? value.trim() : '';
    return text === '' ? [] : [[name, text] as const];
  });
}

/** Parameters for the server. Days are in the person's time zone; the last one is included. */
export function asked(filter: Filter, user: string | null): Record<string, string> {
  const { since, until, ...rest } = { ...filter, ...(user === null ? {} : { user }) };
  const wanted: Record<string, string> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (rest.user !== undefined || !PERSONAL.includes(name as FieldName)) wanted[name] = value;
  }
  if (since !== undefined) wanted.since = String(beginning(since, 0));
  if (until !== undefined) wanted.until = String(beginning(until, 1));
  return wanted;
}

function isFine(name: FieldName, text: string): boolean {
  if (name in OPTIONS) return (OPTIONS[name as keyof typeof OPTIONS] as readonly string[]).includes(text);
  if (name === 'since' || name === 'until') return DAY.test(text) && beginning(text, 0) >= 0;
  return text.length <= MOST_LETTERS;
}

/** Start of the day, or of the day `later` days after it; NaN if invalid. */
function beginning(text: string, later: number): number {
  const [year = 0, month = 0, date = 0] = text.split('-').map(Number);
  if (month < 1 || month > 12 || date < 1 || date > 31) return Number.NaN;
  return new Date(year, month - 1, date + later).getTime();
}
