import { type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Notifications } from '../../database';
import { DomainEventLog, type LogConsumer, type LoggedEvent } from '../../domain-events';
import { ConversationTails, OrganizationTails } from '../tails/tails';
import { StreamReaders } from './stream-readers';
/**
 * Wakes the streams of all replicas when their logs have something new: whoever gives positions to domain events tells
 * it, with the commit (docs/decisions/0038-streams.md).
 */
export declare class WakeUps implements LogConsumer, OnApplicationBootstrap, OnModuleDestroy {
    private readonly readers;
    private readonly conversations;
    private readonly organizations;
    private readonly timers;
    constructor(log: DomainEventLog, notifications: Notifications, readers: StreamReaders, conversations: ConversationTails, organizations: OrganizationTails);
    onApplicationBootstrap(): void;
    onModuleDestroy(): void;
    isWaiting(): boolean;
    take(transaction: EntityManager, events: readonly LoggedEvent[]): Promise<void>;
    committed(): void;
    private age;
    private wake;
}
