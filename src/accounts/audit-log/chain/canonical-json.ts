import { isRecord } from '../../../kernel/common';

/**
 * A value as JSON in one spelling: without spaces, and with the keys of each object in the order of their UTF-16 code units, as
 * RFC 8785 says.
 * @param value what JSON can say
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}
