import { type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../common';
import { Notifications } from '../../database';
import { OpenStreams } from '../connections/open-streams';
/** Knows whether any replica has open streams: nothing is told for streams that nobody has. */
export declare class StreamReaders implements OnApplicationBootstrap, OnModuleDestroy {
    private readonly database;
    private readonly streams;
    private readonly clock;
    /** By which replicas know what they told themselves. */
    readonly replica: string;
    private readonly logger;
    private othersUntilMs;
    private timer;
    constructor(database: DataSource, streams: OpenStreams, clock: Clock, notifications: Notifications);
    onApplicationBootstrap(): void;
    onModuleDestroy(): void;
    /** Whether another replica has open streams, as far as it is known. */
    areElsewhere(): boolean;
    /** Whether any replica has. */
    areAnywhere(): boolean;
    private tell;
}
