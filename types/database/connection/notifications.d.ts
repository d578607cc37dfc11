import { type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
/** @param payload of the notification; null when some may have been missed, since the connection is new */
export type Hearer = (payload: string | null) => void;
/**
 * Hears PostgreSQL's notifications on a connection of its own, and connects again when that breaks. What is told
 * meanwhile is lost, so whoever hears has to look by itself now and then as well.
 */
export declare class Notifications implements OnApplicationBootstrap, OnModuleDestroy {
    private readonly url;
    private readonly logger;
    private readonly hearers;
    private readonly stopping;
    private client;
    private running;
    /** @param url of a server, or of a pooler that keeps sessions */
    constructor(url: string);
    /** Calls back for every notification of a channel; done before the service has started. */
    listen(channel: string, hear: Hearer): void;
    onApplicationBootstrap(): void;
    onModuleDestroy(): Promise<void>;
    private run;
    /** Hears until the connection breaks. */
    private hear;
    private pass;
    /** A method, since it may change during any await. */
    private isStopping;
    private sleep;
}
