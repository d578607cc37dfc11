import { join } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { SnakeCaseNaming } from './naming';
import { SilentConnections } from './silent-connections';

/** Milliseconds after which the database ends a statement: nothing a request does may run longer. */
export const STATEMENT_TIMEOUT_MS = 10_000;

/** A database that does not even end a statement in time is away. */
const SILENCE_MS = STATEMENT_TIMEOUT_MS + 2_000;

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * The options every connection of the service is made with.
 * @param url address of the database
 * @param poolSize largest number of connections of this process
 */
export function dataSourceOptions(url: string, poolSize = 10): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    poolSize,
    applicationName: 'org-conversation-service',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    namingStrategy: new SnakeCaseNaming(),
    entities: [join(__dirname, '..', '**', '*.entity.{js,ts}')],

    subscribers: [SilentConnections],
    migrations: [join(__dirname, 'migrations', '*.{js,ts}')],
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: SILENCE_MS,
      idle_in_transaction_session_timeout: 2 * STATEMENT_TIMEOUT_MS,
    },
  };
}

/** One without time limits and entities, for work on the schema or on all rows; not connected yet. */
export function createPatientDataSource(url: string, poolSize: number): DataSource {
  return new DataSource({ ...dataSourceOptions(url, poolSize), entities: [], extra: {} });
}

/** A data source that is not connected yet. */
export function createDataSource(url: string, poolSize?: number): DataSource {
  return new DataSource(dataSourceOptions(url, poolSize));
}
