import { HIDDEN } from '../../../kernel/common';

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const PAIR = String.raw`\s*${STRING}\s*:\s*${STRING}\s*`;
const HEADERS = new RegExp(String.raw`("extra_headers"\s*:\s*\{)(${PAIR}(?:,${PAIR})*)\}`, 'g');
const VALUE = new RegExp(`(${STRING}\\s*:\\s*)${STRING}`, 'g');

/**
 * The JSON text of a state, with the values of headers of models hidden: agent servers hide other secrets of models
 * themselves, and these may be as secret.
 */
export function withHiddenHeaders(payload: string): string {
  return payload.replace(
    HEADERS,
    (_, start: string, pairs: string) => `${start}${pairs.replace(VALUE, `$1"${HIDDEN}"`)}}`,
  );
}
