/** What a browser says it is, made short: for the list of where one is logged in. */

import { say } from '../words/words';

/** The first that is named counts: others name themselves after the ones below. */
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

/** A program that is no browser, by the beginning of what it says. */
const SHOWN = 40;

export function agentName(agent: string | null): string {
  if (agent === null) return say('account.agent.none');
  const find = (of: typeof BROWSERS) => of.find(([mark]) => mark.test(agent))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser && system) return say('account.agent', { browser, system });
  return browser ?? (agent.length > SHOWN ? `${agent.slice(0, SHOWN)}…` : agent);
}
