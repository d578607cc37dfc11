import { type StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import { type Caller } from '../../auth';
import { ConversationPath } from '../../conversations';
import { EventArchive } from './event-archive.service';
export declare class EventArchiveController {
    private readonly archive;
    constructor(archive: EventArchive);
    downloadConversation(caller: Caller, path: ConversationPath, request: Request, gone: AbortSignal): Promise<StreamableFile>;
}
