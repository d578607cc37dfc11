import type { Readable } from 'node:stream';
import { GitProviderFailedError } from './git-search.errors';

/** A page of a hundred repositories of the wordiest provider has less than 1 MiB. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Lists and objects, which take many times their bytes once they are read. */
const MAX_BRACKETS = 200_000;
const BRACKETS = [0x5b, 0x7b];

/**
 * Reads the JSON of an answer.
 * @throws GitProviderFailedError for more than is read, and for anything else than JSON
 */
export async function boundedJson(body: Readable): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let brackets = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    brackets += bracketsIn(chunk);
    if (bytes > MAX_BYTES || brackets > MAX_BRACKETS) {
      body.destroy();
      throw new GitProviderFailedError('its answer is too large');
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new GitProviderFailedError('its answer is no JSON');
  }
}

function bracketsIn(chunk: Buffer): number {
  let found = 0;
  for (const bracket of BRACKETS)
    for (let at = chunk.indexOf(bracket); at !== -1; at = chunk.indexOf(bracket, at + 1)) found++;
  return found;
}
