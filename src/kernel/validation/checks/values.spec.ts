import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkOf } from './compile';
import { Cursor, INVALID } from '../errors/cursor';
import { emailAddressIn } from '../email/check-email';
import * as types from '../declaration/field-types';
import { readExactJson } from '../json/read-exact';
import { isJsonObject } from '../json/exact-values';

/**
 * Values at the edges of each type, with what the modelled framework made of them. The free text at the end
 * of messages about addresses may differ.
 */
const file = join(__dirname, '..', '..', '..', '..', 'test', 'contract', 'validation-values.jsonl');

const declared: Readonly<Record<string, types.FieldType<unknown>>> = {
  integer: types.integer(),
  number: types.number(),
  boolean: types.boolean(),
  string: types.string(),
  uuid: types.uuid(),
  dateTime: types.dateTime(),
  email: types.email(),
};

const cases = readFileSync(file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line): unknown => JSON.parse(line))
  .filter(isJsonObject);

function comparable(value: unknown, type: string): unknown {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'number') return value + 0;
  return type === 'email' && typeof value === 'string' ? emailAddressIn(value) : value;
}

function withoutTail(msg: string, type: string): string {
  return type === 'email' ? msg.split(' (')[0]!.split(': ').slice(0, 2).join(': ').replace(/\.$/, '') : msg;
}

it.each(Object.keys(declared))('%s takes and refuses what the modelled framework does', (type) => {
  const check = checkOf(declared[type]!.shape);
  const ofType = cases.filter((one) => one.type === type);
  expect(ofType.length).toBeGreaterThan(15);
  for (const { json, value, fault } of ofType) {
    const text = String(json);
    const at = new Cursor(false, true);
    const result = check(readExactJson(text), at);
    const issues = at.issues.map((one) => [one.type, withoutTail(one.msg, type)]);
    const expected = Array.isArray(fault) ? [[fault[0], withoutTail(String(fault[1]), type)]] : [];
    expect([text, issues]).toEqual([text, expected]);
    if (result !== INVALID) expect([text, comparable(result, type)]).toEqual([text, comparable(value, type)]);

    // The quick reading never takes what the careful one refuses, and never for another value.
    const quick = check(quickly(text), new Cursor(true, false));
    if (quick !== INVALID) expect([text, quick]).toEqual([text, result]);
  }
});

function quickly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
