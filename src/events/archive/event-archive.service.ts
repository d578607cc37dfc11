import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Caller } from '../../auth';
import { ConversationAccess } from '../../conversations';
import { DownloadSlots } from './download-slots';
import { EventRepository } from '../storage/event.repository';
import type { StoredEvent } from '../storage/stored-event';
import { TooManyEventsError } from '../storage/events.errors';
import { MAX_ZIP_CONTENT_BYTES, MAX_ZIP_FILES, type ZipEntry, zipStream } from './zip-stream';

/** Ids that make a good part of a file's name on any system. */
const PLAIN_ID = /^[\w-]{1,100}$/;
const NUMBER_LENGTH = String(MAX_ZIP_FILES).length;

/** All stored events of a conversation as a zip archive with a JSON file for each. */
@Injectable()
export class EventArchive {
  private readonly slots = new DownloadSlots();

  constructor(
    private readonly access: ConversationAccess,
    private readonly events: EventRepository,
  ) {}

  /**
   * Reads batch after batch as fast as the caller takes them; no connection is held in between.
   * @param gone ends it
   * @throws ConversationNotFoundError, TooManyEventsError, TooManyDownloadsError
   */
  async download(caller: Caller, conversationId: string, gone: AbortSignal): Promise<StreamableFile> {
    const { id } = await this.access.readable(caller, conversationId);
    if ((await this.events.total(id)) > MAX_ZIP_FILES) throw new TooManyEventsError();
    if ((await this.events.bytes(id)) > MAX_ZIP_CONTENT_BYTES) throw new TooManyEventsError();
    const first = await this.events.batch(id, null);
    const archive = this.slots.fill(caller.userId, () =>
      Readable.from(zipStream(this.files(id, first, gone)), { objectMode: false }),
    );
    return new StreamableFile(archive, {
      type: 'application/zip',
      disposition: `attachment; filename="conversation-${id}.zip"`,
    });
  }

  private async *files(
    conversationId: string,
    first: readonly StoredEvent[],
    gone: AbortSignal,
  ): AsyncGenerator<ZipEntry> {
    let batch = first;
    let number = 0;
    let bytes = 0;
    while (batch.length > 0 && !gone.aborted) {
      for (const { id, payload } of batch) {
        // What arrives meanwhile is left out rather than breaking the archive.
        bytes += Buffer.byteLength(payload);
        if (number === MAX_ZIP_FILES || bytes > MAX_ZIP_CONTENT_BYTES) return;
        number += 1;
        yield { name: fileName(number, id), content: payload };
      }
      batch = await this.events.batch(conversationId, batch.at(-1)?.id ?? null);
    }
  }
}

/** Names sort in the order of the events. */
function fileName(number: number, id: string): string {
  const place = String(number).padStart(NUMBER_LENGTH, '0');
  return PLAIN_ID.test(id) ? `event_${place}_${id}.json` : `event_${place}.json`;
}
