import { endOfString } from './scan';

/**
 * JSON in which `NaN` and the infinities, which some writers put there and no JSON has, are `null`
 * (docs/contract.md#values-that-cannot-be-stored). Takes time linear in the text.
 * @param text JSON, but for these
 */
export function finiteJson(text: string): string {
  if (!text.includes('NaN') && !text.includes('Infinity')) return text;
  const parts: string[] = [];
  const token = /"|-?Infinity|NaN/g;
  let copied = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const { index } = found;
    if (found[0] === '"') {
      token.lastIndex = endOfString(text, index);
      continue;
    }
    parts.push(text.slice(copied, index), 'null');
    copied = token.lastIndex;
  }
  return parts.join('') + text.slice(copied);
}
