import type { Stats } from 'node:fs';
import { MEBIBYTE } from '../../../kernel/common';

const BLOCK_BYTES = 512;

/** How many times the room that it takes a file may be large: what its disk compresses takes less than it has, too. */
const LARGEST_FACTOR = 8;

/** What files together may be larger than that: minutes of reading, and some systems say late how much room a file takes. */
const MAX_BYTES = 64 * 1024 * MEBIBYTE;

/**
 * What a backup reads of holes in files, which may be larger than any disk: of all that is read, no more than eight times the
 * room that the files take, and 64 GiB.
 */
export class SparseFileBudget {
  private left = MAX_BYTES;

  /** Whether a file may be read; if so, takes what it needs from the budget. */
  take({ size, blocks }: Pick<Stats, 'size' | 'blocks'>): boolean {
    const needed = Math.max(0, size - blocks * BLOCK_BYTES * LARGEST_FACTOR);
    if (needed > this.left) return false;
    this.left -= needed;
    return true;
  }
}
