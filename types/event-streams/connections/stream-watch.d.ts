import { type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { StandingAccess } from '../../auth';
import { ConversationAccess } from '../../conversations';
import { OpenStreams } from './open-streams';
/**
 * Ends open streams whose conversation, key, session, membership or permission is gone, whichever replica removed it.
 * Asks the database twice a second with four statements for all streams together, and only while there are any.
 */
export declare class StreamWatch implements OnModuleInit, OnModuleDestroy {
    private readonly streams;
    private readonly access;
    private readonly conversations;
    private readonly logger;
    private timer;
    private isStopped;
    constructor(streams: OpenStreams, access: StandingAccess, conversations: ConversationAccess);
    onModuleInit(): void;
    onModuleDestroy(): void;
    private schedule;
    private round;
    private check;
}
