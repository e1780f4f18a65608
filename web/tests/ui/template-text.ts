import type { TemplateResult } from 'lit-html';

/** The text of a template, as far as it is text; with `tags`, its HTML as far as it is known. */
export function text(value: unknown, tags = false): string {
  if (Array.isArray(value)) return value.map((part) => text(part, tags)).join('');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null || !('strings' in value)) return '';
  const { strings, values } = value as TemplateResult;
  const all = strings.reduce((before, part, index) => `${before}${part}${text(values[index], true)}`, '');
  return (tags ? all : all.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
}
