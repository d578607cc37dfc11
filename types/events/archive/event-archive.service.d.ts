import { StreamableFile } from '@nestjs/common';
import type { Caller } from '../../auth';
import { ConversationAccess, RecordResponses } from '../../conversations';
import { EventRepository } from '../storage/event.repository';
/** A conversation's record and all its stored events as a zip archive with a JSON file for each. */
export declare class EventArchive {
    private readonly access;
    private readonly records;
    private readonly events;
    private readonly slots;
    constructor(access: ConversationAccess, records: RecordResponses, events: EventRepository);
    /**
     * Reads batch after batch as fast as the caller takes them; no connection is held in between.
     * @param gone ends it
     * @param type what the archive is sent as
     * @throws ConversationNotFoundError, TooManyEventsError, TooManyDownloadsError
     */
    download(caller: Caller, conversationId: string, gone: AbortSignal, type: string): Promise<StreamableFile>;
    private files;
}
