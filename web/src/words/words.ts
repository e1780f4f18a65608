/**
 * Texts of the page. `say('toast.paired', { name })` fills `{name}`; an entry with `one` and `other` is chosen by its
 * parameter `n`. The compiler checks keys and parameters.
 */

import { inOwnTime } from './dates.ts';
import { EN } from './en.ts';

export type Words = typeof EN;
export type Key = keyof Words;

/** Keys of texts without parameters. */
export type PlainKey = { [K in Key]: [NamesOf<Words[K]>] extends [never] ? K : never }[Key];

export type Entry = string | { one: string; other: string };

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type NamesOf<Entry> = Entry extends { other: infer Other } ? 'n' | Names<Other> : Names<Entry>;
export type Rest<Entry> = [NamesOf<Entry>] extends [never] ? [] : [params: Record<NamesOf<Entry>, string | number>];

const plural = new Intl.PluralRules('en');

export const say = <K extends Key>(key: K, ...[params]: Rest<Words[K]>): string => filled(EN[key] as Entry, params);

/** The text of `entry` with `params` put in. */
export function filled(entry: Entry, params: Readonly<Record<string, string | number>> | undefined): string {
  const values = params ?? {};
  const text = typeof entry === 'string' ? entry : plural.select(Number(values.n)) === 'one' ? entry.one : entry.other;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Whether the catalogue has `key`, for names from the wire. */
export const isKey = (key: string): key is Key => Object.hasOwn(EN, key);

/** The name of `prefix.name`; an unknown name stands for itself. */
export function nameOf(prefix: string, name: string): string {
  const key = `${prefix}.${name}`;
  return isKey(key) ? (EN[key] as string) : name.replaceAll('_', ' ');
}

/** Text of the server, which is lower case and in UTC, as a sentence in local time. */
export function sentence(text: string): string {
  const said = inOwnTime(text);
  return said === '' ? '' : `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? '' : '.'}`;
}

/** Refusals start with the field they are about: `to: there is no user …`. */
const FIELD = /^[a-z]\w*: /;

/** The text of a refusal. */
export const refusal = ({ message }: { message: string }): string => sentence(message.replace(FIELD, ''));

export const SIDES = { w: say('side.w'), b: say('side.b') } as const;

/** The name of a variant; the server's name if it is unknown. */
export const variantName = (variant: string): string => nameOf('variant', variant);

/** The name of a variant within a sentence: an entry where it starts with a small letter there. */
export function variantWithin(variant: string): string {
  const key = `within.${variant}`;
  return isKey(key) ? say(key as 'within.standard') : variantName(variant);
}
