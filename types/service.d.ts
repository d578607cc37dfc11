import type { Composition, RunningApplication } from './application';
import { StartError } from './common';
import type { Settings } from './config';
import type { Extensions } from './extensions';
import { type StartLog } from './start-up';
import type { InstalledInterface } from './web-interface';
/** A service that is listening. */
export interface RunningService extends Omit<RunningApplication, 'withdraw' | 'stop'> {
    /** As given, with the actual port. */
    readonly settings: Settings;
    /** The web interface it serves, or null. */
    readonly webInterface: InstalledInterface | null;
    /** Resolves when the service cannot go on. */
    readonly lost: Promise<StartError>;
    /**
     * Has load balancers choose other replicas: `/ready` answers 503 while everything else goes on. Resolves after
     * `STOP_DELAY_SECONDS`, when it is time to stop.
     */
    withdraw(): Promise<void>;
    /** Finishes requests in flight and running jobs, then ends everything. */
    stop(): Promise<void>;
}
/** How a service is started. */
export interface ServiceStart extends Omit<Composition, 'webInterface'> {
    /** Hears of each step of the start. */
    readonly log: StartLog;
    readonly extensions: Extensions;
}
/**
 * Starts the whole service and listens.
 * @throws SettingsError, StartError
 */
export declare function startService(given: Settings, { log, extensions, ...composition }: ServiceStart): Promise<RunningService>;
