import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { digestOf } from '../../src/kernel/common';
import { StreamReader } from '../../test/support/streams/stream-reader';
import { round } from '../org-list-load';

/**
 * From the commit that revokes a key to the end of its stream, one key after the other at random times.
 * @param url of the stream
 * @returns milliseconds, sorted
 */
export async function endsAfterRevocation(
  db: DataSource,
  url: string,
  keys: readonly string[],
): Promise<number[]> {
  const streams = await Promise.all(keys.map((key) => StreamReader.open(url, { key })));
  const waits: number[] = [];
  for (const [n, stream] of streams.entries()) {
    await pause(Math.random() * 100);
    await db.query('DELETE FROM api_keys WHERE digest = $1', [digestOf(keys[n] ?? '')]);
    const began = performance.now();
    await stream.ended;
    waits.push(round(performance.now() - began));
  }
  return waits.sort((a, b) => a - b);
}
