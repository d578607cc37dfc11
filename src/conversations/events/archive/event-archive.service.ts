import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import type { Caller } from '../../../kernel/auth';
import { SETTINGS, type Settings } from '../../../kernel/config';
import {
  DownloadSlots,
  MAX_ZIP_CONTENT_BYTES,
  MAX_ZIP_FILES,
  type ZipEntry,
  zipStream,
} from '../../../kernel/http';
import { type AppConversation, ConversationAccess, RecordResponses } from '../../conversations';
import { EventRepository } from '../storage/event.repository';
import type { StoredEvent } from '../storage/stored-event';
import { TooManyEventsError } from '../storage/events.errors';

/** Ids that make a good part of a file's name on any system. */
const PLAIN_ID = /^[\w-]{1,100}$/;
/** One file beside the events describes the conversation. */
const MAX_EVENTS = MAX_ZIP_FILES - 1;
const NUMBER_LENGTH = String(MAX_EVENTS).length;

/** A conversation's record and all its stored events as a zip archive with a JSON file for each. */
@Injectable()
export class EventArchive {
  private readonly slots: DownloadSlots;

  constructor(
    private readonly access: ConversationAccess,
    private readonly records: RecordResponses,
    private readonly events: EventRepository,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.slots = new DownloadSlots(settings);
  }

  /**
   * Reads batch after batch as fast as the caller takes them; no connection is held in between.
   * @param gone ends it
   * @param type what the archive is sent as
   * @throws ConversationNotFoundError, TooManyEventsError, TooManyDownloadsError
   */
  async download(
    caller: Caller,
    conversationId: string,
    gone: AbortSignal,
    type: string,
  ): Promise<StreamableFile> {
    const conversation = await this.access.readable(caller, conversationId);
    const { id, orgId } = conversation;
    if ((await this.events.total(id)) > MAX_EVENTS) throw new TooManyEventsError();
    if ((await this.events.bytes(id)) > MAX_ZIP_CONTENT_BYTES) throw new TooManyEventsError();
    const record = await this.records.one(caller, conversation);
    const first = await this.events.batch(id, null);
    const files = this.files(record, first, gone);
    const archive = this.slots.fill({ userId: caller.userId, orgId }, zipStream(files));
    return new StreamableFile(archive, {
      type,
      disposition: `attachment; filename="conversation-${id}.zip"`,
    });
  }

  private async *files(
    record: AppConversation,
    first: readonly StoredEvent[],
    gone: AbortSignal,
  ): AsyncGenerator<ZipEntry> {
    yield { name: 'meta.json', content: JSON.stringify(lasting(record)) };
    let batch = first;
    let number = 0;
    let bytes = 0;
    while (batch.length > 0 && !gone.aborted) {
      for (const { id, payload } of batch) {
        // What arrives meanwhile is left out rather than breaking the archive.
        bytes += Buffer.byteLength(payload);
        if (number === MAX_EVENTS || bytes > MAX_ZIP_CONTENT_BYTES) return;
        number += 1;
        yield { name: fileName(number, id), content: payload };
      }
      batch = await this.events.batch(record.id, batch.at(-1)?.id ?? null);
    }
  }
}

/** A record without the way to its agent server: an archive is kept, and handed on. */
function lasting(record: AppConversation): AppConversation {
  return Object.assign({}, record, { conversation_url: null, session_api_key: null, workspace: null });
}

/** Names sort in the order of the events. */
function fileName(number: number, id: string): string {
  const place = String(number).padStart(NUMBER_LENGTH, '0');
  return PLAIN_ID.test(id) ? `event_${place}_${id}.json` : `event_${place}.json`;
}
