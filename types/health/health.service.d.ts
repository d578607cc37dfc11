import { DataSource } from 'typeorm';
/** The response of a ready service. */
export interface Health {
    readonly status: 'ok';
}
export interface ServerInfo {
    readonly title: string;
    readonly version: string;
    readonly uptime: number;
}
/** Implements the health probes. */
export declare class HealthService {
    private readonly database;
    private migrated;
    private isWithdrawn;
    private proof;
    constructor(database: DataSource);
    /** From now on the service is not ready, since it is about to stop. */
    withdraw(): void;
    /**
     * @throws ServiceStoppingError once it is withdrawn; DatabaseUnavailableError, also when the database is read-only
     * or full; MigrationsPendingError when its schema is not up to date
     */
    ready(): Promise<Health>;
    /** Concurrent probes share one write. */
    private proveWrite;
    serverInfo(): ServerInfo;
}
