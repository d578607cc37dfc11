/**
 * Migrates the tables of the job queue. Part of the migration step, together with the service's own migrations;
 * workers never run migrations themselves.
 */
export declare function migrateJobs(databaseUrl: string): Promise<void>;
