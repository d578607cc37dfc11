import type { Filter } from 'scim2-parse-filter';
import type { Libraries } from '../protocol/libraries';

const QUOTED = /"(?:[^"\\]|\\.)*"/gs;

/**
 * Reads a filter. The texts in it are read here: the library would take every backslash for itself, also one that escapes another.
 * @throws Error for what is no filter
 */
export function parseFilter(text: string, { parse }: Pick<Libraries, 'parse'>): Filter {
  const values: string[] = [];
  const numbered = text.replaceAll(QUOTED, (quoted) => `"${values.push(textIn(quoted)) - 1}"`);
  const withTexts = (filter: Filter): Filter => {
    if (filter.op === 'not') return { ...filter, filter: withTexts(filter.filter) };
    if (filter.op === '[]') return { ...filter, valFilter: withTexts(filter.valFilter) };
    if ('filters' in filter) return { ...filter, filters: filter.filters.map(withTexts) };
    if (!('compValue' in filter) || typeof filter.compValue !== 'string') return filter;
    return { ...filter, compValue: values[Number(filter.compValue)] ?? '' };
  };
  return withTexts(parse(numbered));
}

/** A JSON string; where it is none, such as `"DOMAIN\user"`, what stands between the quotes. */
function textIn(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}
