import { type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Settings } from '../../config';
import { DomainEventLog, type LogConsumer, type LoggedEvent } from '../../domain-events';
import { DeliveryStore } from '../queue/delivery-store';
import { LaneSignal } from '../queue/lane-signal';
import { WebhookFaultPoints } from '../queue/webhook-fault-points';
/** Makes deliveries of what happened, in the transaction that gives the events their positions. */
export declare class WebhookFanOut implements LogConsumer, OnApplicationBootstrap, OnModuleDestroy {
    private readonly database;
    private readonly store;
    private readonly signal;
    private readonly faultPoints;
    private readonly settings;
    private readonly logger;
    private readonly added;
    private isAnyEnabled;
    private timer;
    constructor(database: DataSource, store: DeliveryStore, signal: LaneSignal, faultPoints: WebhookFaultPoints, settings: Settings, log: DomainEventLog);
    onApplicationBootstrap(): void;
    onModuleDestroy(): void;
    isWaiting(): boolean;
    take(transaction: EntityManager, events: readonly LoggedEvent[]): Promise<void>;
    committed(): void;
    private look;
    /** In the order of the events. */
    private matched;
    private tagsFor;
}
