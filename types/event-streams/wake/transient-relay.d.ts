import { DataSource } from 'typeorm';
import { Clock } from '../../common';
import { Notifications } from '../../database';
import { TransientEvents } from '../../events';
import { ConversationTails } from '../tails/tails';
import { StreamReaders } from './stream-readers';
/**
 * Hands events that are not stored to the streams of their conversation, here at once and on other replicas by
 * notifications: of those that are too long for one, other replicas hear nothing.
 */
export declare class TransientRelay {
    private readonly database;
    private readonly readers;
    private readonly tails;
    private readonly logger;
    private readonly shares;
    private waiting;
    private isTelling;
    constructor(database: DataSource, readers: StreamReaders, tails: ConversationTails, events: TransientEvents, notifications: Notifications, clock: Clock);
    private pass;
    private tell;
    /** One statement after the other, so that they stay in their order. */
    private tellAll;
}
