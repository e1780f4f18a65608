import type { TemplateResult } from 'lit-html';

/** The text of a template and of what `repeat` makes, as far as it is text; with `tags`, its HTML as far as it is known. */
export function text(value: unknown, tags = false): string {
  if (Array.isArray(value)) return value.map((part) => text(part, tags)).join('');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null || !('values' in value)) return '';
  if (!('strings' in value)) return text(repeated(value.values as unknown[]), tags);
  const { strings, values } = value as TemplateResult;
  const all = strings.reduce((before, part, index) => `${before}${part}${text(values[index], true)}`, '');
  return (tags ? all : all.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
}

/** The handlers of `event` in a template, and in what `repeat` makes, in order. */
export function handlers(value: unknown, event: string): ((event: Event) => void)[] {
  if (Array.isArray(value)) return value.flatMap((part) => handlers(part, event));
  if (typeof value !== 'object' || value === null || !('values' in value)) return [];
  const { strings, values } = value as Partial<TemplateResult> & { values: unknown[] };
  if (strings === undefined) return handlers(repeated(values), event);
  return values.flatMap((part, index) => (strings[index]!.endsWith(`@${event}=`) ? [part as (event: Event) => void] : handlers(part, event)));
}

/** What `repeat` makes. */
function repeated(values: readonly unknown[]): unknown[] {
  const [items, make] = [values[0], values.at(-1)];
  return Array.isArray(items) && typeof make === 'function' ? items.map((item) => make(item) as unknown) : [];
}
