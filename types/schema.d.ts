import type { SecretBox } from './common';
import type { ExtensionMigrations } from './extensions';
/**
 * Migrates a database to this build's schema and that of its extensions, and checks that its secrets can be read.
 * @returns the migrations that this call ran
 * @throws StartError when the server is too old, the schema too new, the key another one, or a migration of an extension
 *   fails
 */
export declare function prepareSchema(databaseUrl: string, box: SecretBox, extensions: readonly ExtensionMigrations[], log: {
    info(message: string): void;
}): Promise<string[]>;
/**
 * Runs the migrations of the service, of its jobs and of its extensions, in this order, all under one lock.
 * @returns the names of those that ran
 */
export declare function migrateAll(databaseUrl: string, extensions: readonly ExtensionMigrations[]): Promise<string[]>;
