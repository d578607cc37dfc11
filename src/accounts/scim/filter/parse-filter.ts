import type { Filter } from 'scim2-parse-filter';
import type { Libraries } from '../protocol/libraries';

const QUOTED = /"(?:[^"\\]|\\.)*"/gs;

/** A name behind brackets. */
const BEHIND_BRACKETS = /\]\.\s*\w[-\w.:/]*/g;
/** The library takes it for a part of a name, and no schema has it in one. */
const MARK = '%';

/**
 * Reads a filter. The texts in it are read here: the library would take every backslash for itself, also one that escapes another.
 * `emails[type eq "work"].value eq "x"` asks for both of one value; the library makes of it what `emails[type eq "work"] and
 * emails.value eq "x"` is, which does not. So names behind brackets are marked for it.
 * @throws Error for what is no filter
 */
export function parseFilter(text: string, { parse }: Pick<Libraries, 'parse'>): Filter {
  const values: string[] = [];
  const numbered = text.replaceAll(QUOTED, (quoted) => `"${values.push(textIn(quoted)) - 1}"`);
  if (numbered.includes(MARK)) throw new Error('There is no such name.');
  const withTexts = (filter: Filter): Filter => {
    if (filter.op === 'not') return { ...filter, filter: withTexts(filter.filter) };
    if (filter.op === '[]') return { ...filter, valFilter: withTexts(filter.valFilter) };
    if ('filters' in filter) return sameValue({ ...filter, filters: filter.filters.map(withTexts) });
    if (!('compValue' in filter) || typeof filter.compValue !== 'string') return filter;
    return { ...filter, compValue: values[Number(filter.compValue)] ?? '' };
  };
  return withTexts(parse(numbered.replaceAll(BEHIND_BRACKETS, (name) => name + MARK)));
}

/** A condition in brackets and one on the name behind them as one condition on the same value; any other filter as it is. */
function sameValue(filter: Extract<Filter, { filters: unknown }>): Filter {
  const [first, second] = filter.filters;
  if (first?.op !== '[]' || second === undefined || !('attrPath' in second)) return filter;
  if (!second.attrPath.endsWith(MARK)) return filter;
  const attrPath = second.attrPath.slice(`${first.attrPath}.`.length, -MARK.length);
  return { ...first, valFilter: { op: 'and', filters: [first.valFilter, { ...second, attrPath }] } };
}

/** A JSON string; where it is none, such as `"DOMAIN\user"`, what stands between the quotes. */
function textIn(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}
