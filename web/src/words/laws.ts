/** Texts of games by the Laws, which are loaded with the first such game or with the form of a new one. */

import { LAWS } from './en/laws.ts';
import { filled, type Entry, type Rest } from './words.ts';

type Laws = typeof LAWS;
export type LawsKey = keyof Laws;

/** Like `say`. */
export const sayLaws = <K extends LawsKey>(key: K, ...[params]: Rest<Laws[K]>): string => filled(LAWS[key] as Entry, params);

/** Whether there is a text `key`, for names from the wire. */
export const isLawsKey = (key: string): key is LawsKey => Object.hasOwn(LAWS, key);
