import { INVALID, type Check, type Cursor } from '../errors/cursor';
import { stripWhiteSpace } from '../scalars/white-space';
import { isJsonObject, keysOf, withPlainNumbers } from '../json/exact-values';

/** Makes the check of a `list(...)`. */
export function listCheck(item: Check, min: number, max: number): Check {
  return (value, at) => {
    if (!Array.isArray(value)) return at.reject('list_type', 'Input should be a valid list', value);
    if (value.length > max) return lengthIssue('too_long', 'at most', max, value, at);
    const items = checkItems(value, item, at);
    if (items === INVALID) return INVALID;
    return value.length < min ? lengthIssue('too_short', 'at least', min, value, at) : items;
  };
}

/** Makes the check of a `commaList(...)` over the occurrences of a query parameter. */
export function commaListCheck(item: Check): Check {
  return (value, at) => {
    const occurrences: readonly unknown[] = Array.isArray(value) ? value : [value];
    const pieces: string[] = [];
    for (const occurrence of occurrences) {
      for (const piece of String(occurrence).split(',')) {
        const trimmed = stripWhiteSpace(piece);
        if (trimmed !== '') pieces.push(trimmed);
      }
    }
    return checkItems(pieces, item, at);
  };
}

/** Makes the check of a `dictionary(...)`; without a check of its members they are taken as they are. */
export function dictionaryCheck(member: Check | undefined, max: number): Check {
  return (value, at) => {
    if (!isJsonObject(value)) return at.reject('dict_type', 'Input should be a valid dictionary', value);
    const size = Number.isFinite(max) ? keysOf(value).length : 0;
    if (size > max) return tooManyKeys(max, size, value, at);
    if (!member) return checkAnything(value, at);
    const members: [string, unknown][] = [];
    let valid = true;
    for (const key of keysOf(value)) {
      const result = at.into(key, member, value[key]);
      if (result !== INVALID) members.push([key, result]);
      else if (at.isDone) return INVALID;
      else valid = false;
    }
    return valid ? Object.fromEntries(members) : INVALID;
  };
}

/** Checks an `anything()`. */
export function checkAnything(value: unknown, at: Cursor): unknown {
  return at.exact ? withPlainNumbers(value) : value;
}

function checkItems(values: readonly unknown[], item: Check, at: Cursor): unknown {
  const items: unknown[] = [];
  let valid = true;
  for (let index = 0; index < values.length; index++) {
    const result = at.into(index, item, values[index]);
    if (result !== INVALID) items.push(result);
    else if (at.isDone) return INVALID;
    else valid = false;
  }
  return valid ? items : INVALID;
}

function tooManyKeys(max: number, size: number, value: object, at: Cursor): typeof INVALID {
  const items = max === 1 ? 'item' : 'items';
  const msg = `Dictionary should have at most ${max} ${items} after validation, not ${size}`;
  return at.reject('too_long', msg, value, {
    field_type: 'Dictionary',
    max_length: max,
    actual_length: size,
  });
}

function lengthIssue(
  type: 'too_short' | 'too_long',
  relation: string,
  limit: number,
  list: readonly unknown[],
  at: Cursor,
): typeof INVALID {
  const items = limit === 1 ? 'item' : 'items';
  const msg = `List should have ${relation} ${limit} ${items} after validation, not ${list.length}`;
  return at.reject(type, msg, list, {
    field_type: 'List',
    [type === 'too_short' ? 'min_length' : 'max_length']: limit,
    actual_length: list.length,
  });
}
