import { DataSource, type DataSourceOptions } from 'typeorm';
/** Milliseconds after which the database cancels a statement: no statement of a request may run longer. */
export declare const STATEMENT_TIMEOUT_MS = 10000;
/** A class with `@Entity`. */
export type EntityClass = new () => object;
/**
 * The options of every connection of the service.
 * @param url URL of the database
 * @param poolSize largest number of connections of this process
 * @param entities those of extensions, besides the service's own
 */
export declare function dataSourceOptions(url: string, poolSize?: number, entities?: readonly EntityClass[]): DataSourceOptions;
/**
 * A data source without time limits and entities, for work on the schema or on all rows; not connected yet.
 * @param migrations in place of the service's own
 */
export declare function createMaintenanceDataSource(url: string, poolSize: number, migrations?: Pick<DataSourceOptions, 'migrations' | 'migrationsTableName'>): DataSource;
/** A data source that is not connected yet. */
export declare function createDataSource(url: string, poolSize?: number): DataSource;
/** The URL that a data source was created with. */
export declare function databaseUrl({ options }: DataSource): string;
