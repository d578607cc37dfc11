import type { Readable } from 'node:stream';
import { MAX_ANSWER_BYTES } from '../../record/limits';

/** So much of an answer is read before its connection is closed. */
const MAX_READ_BYTES = 64 * 1024;

/**
 * Reads an answer to its end, but no further than 64 kB: then its connection is closed.
 * @returns its first kilobyte
 * @throws what the stream fails with
 */
export async function readBeginning(answer: Readable, signal: AbortSignal): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  const cut = (): void => void answer.destroy(new Error('The answer is not waited for any longer.'));
  signal.addEventListener('abort', cut, { once: true });
  try {
    signal.throwIfAborted();
    for await (const chunk of answer) {
      if (!Buffer.isBuffer(chunk)) continue;
      if (length < MAX_ANSWER_BYTES) kept.push(chunk.subarray(0, MAX_ANSWER_BYTES - length));
      length += chunk.length;
      // Leaving the loop destroys the stream.
      if (length >= MAX_READ_BYTES) break;
    }
  } finally {
    signal.removeEventListener('abort', cut);
  }
  return Buffer.concat(kept);
}

/** The beginning of an answer as text that can be stored: cut between characters, and without NUL. */
export function beginningOf(bytes: Buffer): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const text = decoder.decode(bytes, { stream: bytes.length === MAX_ANSWER_BYTES });
  return text.replaceAll('\u0000', '');
}
