/**
 * Brings the schema of the database up to date, one replica at a time.
 * @param url URL of the database
 * @param further schema changes that are not migrations of ours; run afterwards, under the same lock
 * @returns the names of the migrations that ran
 * @throws StartError when a newer build's schema shuts this build out
 */
export declare function migrate(url: string, further?: (url: string) => Promise<void>): Promise<string[]>;
