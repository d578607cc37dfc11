import { type DynamicModule } from '@nestjs/common';
import { type Settings } from './config';
import type { Extensions } from './extensions';
import { LogDestination } from './http';
import { type InstalledInterface } from './web-interface';
/** What has to be known before the application can be composed. */
export interface Installation {
    readonly settings: Settings;
    /** URL of the database, already migrated. */
    readonly databaseUrl: string;
    /** For the OpenAPI document, which needs no database: the application is composed but never serves. */
    readonly unconnected?: true;
    /** Encrypts secrets at rest. */
    readonly secretKey: string;
    /** Who this host is among those that run sandboxes (docs/decisions/0016-hosts-own-sandboxes.md). */
    readonly hostId: string;
    /** The web interface to serve; absent for none. */
    readonly webInterface?: InstalledInterface;
    /** Where the application logs; standard output, as JSON lines, where it is left out. */
    readonly logDestination?: LogDestination;
    /** What is added from outside: see docs/extending.md. */
    readonly extensions: Extensions;
}
/** The composition root: the only place that binds ports to adapters. */
export declare class AppModule {
    static forRoot({ settings, databaseUrl, unconnected, secretKey, hostId, webInterface, logDestination, extensions, }: Installation): DynamicModule;
}
