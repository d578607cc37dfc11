import { type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Settings } from '../../config';
import { JobHandlers } from '../../jobs';
import { DomainEventLog } from './domain-event-log';
/**
 * Gives committed events their positions and hands them to the consumers, on one replica at a time. A lower id may be
 * committed after a higher one; positions are given to what is committed already, so that they appear in their order.
 */
export declare class DomainEventSequencer implements OnApplicationBootstrap, OnModuleDestroy {
    private readonly database;
    private readonly log;
    private readonly settings;
    private readonly logger;
    private readonly pacemaker;
    constructor(database: DataSource, log: DomainEventLog, settings: Settings, handlers: JobHandlers);
    onApplicationBootstrap(): void;
    onModuleDestroy(): Promise<void>;
    /** Looks for new events as soon as it may, if anybody waits for them. */
    wakeIfAwaited(): void;
    /** @returns whether there may be more to do right away */
    private beat;
    /** @returns false when nothing is left, as far as this transaction sees */
    private position;
    /** One that a later release has logged is passed over: this one does not know what it says. */
    private read;
    private deleteOld;
}
