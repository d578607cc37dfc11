import { type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { DomainEvents } from './domain-events';
/**
 * Finds the listeners among all providers and controllers, those of extensions included. It runs before workers begin, so
 * that they take the jobs of every listener.
 */
export declare class ListenerDiscovery implements OnModuleInit {
    private readonly discovery;
    private readonly scanner;
    private readonly events;
    constructor(discovery: DiscoveryService, scanner: MetadataScanner, events: DomainEvents);
    /** @throws UnknownEventKindError, MalformedEventKindsError, DuplicateListenerError, ScopedListenerError */
    onModuleInit(): void;
    private methodsOf;
}
