import { lastLines } from '../../last-lines';
import type { LogLimit } from '../../../sandboxes/driver-port';

const HEADER_BYTES = 8;

/**
 * The last lines of a container's output, as the engine sends it: frames of a header, with the length at its end, and a
 * part of one of the two streams.
 */
export function outputLines(frames: Buffer, limit: LogLimit): string[] {
  const parts: Buffer[] = [];
  for (let at = 0; at + HEADER_BYTES <= frames.length;) {
    const length = frames.readUInt32BE(at + HEADER_BYTES - 4);
    parts.push(frames.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length));
    at += HEADER_BYTES + length;
  }
  const output = Buffer.concat(parts);
  return lastLines(output.subarray(-limit.bytes).toString('utf8'), limit, output.length <= limit.bytes);
}
