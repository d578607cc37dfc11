import { Transform } from 'node:stream';

/** Bytes of a mebibyte. */
export const MEBIBYTE = 1024 * 1024;

/** Lets bytes through, and fails at more than there may be. */
export function upTo(most: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) done(new Error(`There are more than ${most} bytes.`));
      else done(null, chunk);
    },
  });
}
