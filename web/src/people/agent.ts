/** A short name for a user agent, for the list of sessions. */

import { say } from '../words/words';

/** The first match counts: browsers also name the ones below. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Longest name of a program that is not a browser. */
const SHOWN = 40;

export function agentName(agent: string | null): string {
  if (agent === null) return say('account.agent.none');
  const find = (of: typeof BROWSERS) => of.find(([mark]) => mark.test(agent))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser && system) return say('account.agent', { browser, system });
  return browser ?? (agent.length > SHOWN ? `${agent.slice(0, SHOWN)}…` : agent);
}
