import { type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Settings } from '../../config';
import { Notifications } from '../../database';
import { DomainEventLog } from './domain-event-log';
import { DomainEventSequencer } from './domain-event-sequencer';
/**
 * Replicas that only answer requests tell the others that there is something to number. It is told after the
 * commit: a notification inside of transactions would have their commits wait for one another.
 */
export declare class CommitNotices implements OnApplicationBootstrap {
    private readonly database;
    private readonly log;
    private readonly settings;
    private readonly logger;
    private isPlanned;
    constructor(database: DataSource, log: DomainEventLog, settings: Settings, notifications: Notifications, sequencer: DomainEventSequencer);
    onApplicationBootstrap(): void;
    private plan;
}
