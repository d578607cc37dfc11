import type { Readable } from 'node:stream';
import { TooManyDownloadsError } from '../storage/events.errors';

const AT_ONCE = 12;
const AT_ONCE_PER_USER = 4;
const RETRY_AFTER_SECONDS = 10;

/** Bounds how many archives are written at once: each keeps its table of contents in memory until its end. */
export class DownloadSlots {
  private readonly users: string[] = [];

  /**
   * Makes an archive, whose slot is free again when it is closed, whichever way.
   * @throws TooManyDownloadsError
   */
  fill(userId: string, make: () => Readable): Readable {
    const own = this.users.filter((each) => each === userId).length;
    if (this.users.length >= AT_ONCE || own >= AT_ONCE_PER_USER)
      throw new TooManyDownloadsError(RETRY_AFTER_SECONDS);
    const archive = make();
    this.users.push(userId);
    return archive.once('close', () => this.users.splice(this.users.indexOf(userId), 1));
  }
}
