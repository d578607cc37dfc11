import { Readable } from 'node:stream';
import type { Membership } from '../../auth';
import { KeyedSemaphore } from '../../common';
import { organizationShare, type Settings } from '../../config';
import { TooManyDownloadsError } from './too-many-downloads.error';

const RETRY_AFTER_SECONDS = 10;

/** How many archives of a kind are written at once. */
interface DownloadLimits {
  readonly atOnce: number;
  readonly ofUser: number;
  /** What is answered beyond that. */
  readonly refusal?: string;
}

const OF_CONVERSATIONS: DownloadLimits = { atOnce: 12, ofUser: 4 };

/** How much a client has to read to reset its idle time. */
const PART_BYTES = 64 * 1024;

/**
 * Bounds how many archives are written at once, and for how long: each keeps its table of contents in memory until its
 * end.
 */
export class DownloadSlots {
  private readonly shares: KeyedSemaphore<'user' | 'organization' | 'replica'>;

  constructor(
    private readonly settings: Settings,
    { atOnce, ofUser, refusal }: DownloadLimits = OF_CONVERSATIONS,
  ) {
    this.shares = new KeyedSemaphore(
      { user: ofUser, organization: organizationShare(atOnce, settings), replica: atOnce },
      () => new TooManyDownloadsError(RETRY_AFTER_SECONDS, refusal),
    );
  }

  /**
   * An archive as a stream, whose slot is free again when it is closed, whichever way. It fails, and breaks its response
   * off, when nobody reads it for `DOWNLOAD_IDLE_SECONDS` or when it takes longer than `DOWNLOAD_SECONDS`.
   * @param person for whom it is, in which organization it counts
   * @throws TooManyDownloadsError; nothing of the archive was read then
   */
  fill({ userId: user, orgId: organization }: Membership, archive: AsyncIterable<Buffer>): Readable {
    const release = this.shares.take({ user, organization, replica: '' });
    const { DOWNLOAD_IDLE_SECONDS: idle, DOWNLOAD_SECONDS: whole } = this.settings;
    const stop = (why: string) => () => void stream.destroy(new Error(`A download was ended: ${why}`));
    const stream: Readable = Readable.from(
      inParts(archive, () => setTimeout(stop(`nobody read it for ${idle} s`), idle * 1_000).unref()),
      { objectMode: false },
    );
    const timer = setTimeout(stop(`it took longer than ${whole} s`), whole * 1_000).unref();
    return stream.once('close', () => {
      clearTimeout(timer);
      release();
    });
  }
}

/** Parts of the same size, so that a large event takes no more of its reader at once. @param wait begins a part's time */
async function* inParts(
  chunks: AsyncIterable<Buffer>,
  wait: () => NodeJS.Timeout,
): AsyncGenerator<Buffer, void> {
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.length; start += PART_BYTES) {
      const timer = wait();
      try {
        yield chunk.subarray(start, start + PART_BYTES);
      } finally {
        clearTimeout(timer);
      }
    }
}
