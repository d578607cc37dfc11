import { type Bootstrapped } from './api-keys';
import type { LogDestination } from './http';
import { type SandboxDriver } from './sandboxes';
import type { Prepared } from './start-up';
import type { InstalledInterface } from './web-interface';
/** The application, listening. */
export interface RunningApplication {
    /** The driver of new sandboxes. */
    readonly driver: SandboxDriver;
    /** User, organization and key that the first start on an empty database made; else null. */
    readonly first: Bootstrapped | null;
    /** The file the first key was written to, when it is not shown on a terminal. */
    readonly keyFile: string | null;
    /** From now on `/ready` answers 503 and connections are closed after their response; everything else goes on. */
    withdraw(): void;
    /** Finishes requests in flight and running jobs, then closes the application. */
    stop(): Promise<void>;
}
/** What an application is composed of besides a prepared installation. */
export interface Composition {
    readonly webInterface: InstalledInterface | null;
    /** Where the application logs. */
    readonly logDestination: LogDestination;
    /** Whether the caller shows the first key to a person; otherwise it is written to a file. */
    readonly showsKey: boolean;
}
/**
 * Composes the application on a prepared installation and listens. This is nearly all of the service's code, which
 * is why `service.ts` loads this file while PostgreSQL starts.
 * @throws StartError, and errors of listening
 */
export declare function startApplication({ installation, dataDir }: Prepared, { webInterface, logDestination, showsKey }: Composition): Promise<RunningApplication>;
