import { join } from 'node:path';
import * as pg from 'pg';
import { Client, Pool } from 'pg';
import {
  DataSource,
  type DataSourceOptions,
  type AfterQueryEvent,
  type EntitySubscriberInterface,
  EventSubscriber,
  DefaultNamingStrategy,
} from 'typeorm';
import { ServicePool } from './open-pool';
import { isQueryTimeout, isDatabaseReadOnly } from './database-errors';
import { replaceIdleConnections } from './read-only-connections';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';

/** Maps camelCase properties to snake_case columns. */
export class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return snakeCase([...prefixes, customName ?? propertyName].join('_'));
  }

  override relationName(propertyName: string): string {
    return snakeCase(propertyName);
  }

  override joinColumnName(relationName: string, referencedColumnName: string): string {
    return snakeCase(`${relationName}_${referencedColumnName}`);
  }
}

function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** Closes a connection that turned out to be read-only, and the idle ones of its pool. */
@EventSubscriber()
class ReadOnlySubscriber implements EntitySubscriberInterface {
  async afterQuery({ error, queryRunner, dataSource }: AfterQueryEvent): Promise<void> {
    if (!isDatabaseReadOnly(error)) return;
    const connection: unknown = await queryRunner.connect();
    if (connection instanceof Client) void connection.end();
    replaceIdleConnections(poolOf(dataSource));
  }
}

/**
 * Closes a connection on which a query timed out. The driver abandons only the query: the connection would return
 * to the pool with that query ahead of every later one, until TCP notices after many minutes that the host is gone.
 */
@EventSubscriber()
class QueryTimeoutSubscriber implements EntitySubscriberInterface {
  async afterQuery({ error, queryRunner }: AfterQueryEvent): Promise<void> {
    if (!isQueryTimeout(error)) return;
    const connection: unknown = await queryRunner.connect();
    // Not awaited: the server is not responding.
    if (connection instanceof Client) void connection.end();
  }
}

/** Milliseconds after which the database cancels a statement: no statement of a request may run longer. */
export const STATEMENT_TIMEOUT_MS = 10_000;

/** A database that does not even cancel a statement in time is unreachable. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;

const CONNECT_TIMEOUT_MS = 5_000;

/** Where the service notes its migrations. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/** A class with `@Entity`. */
export type EntityClass = new () => object;

/**
 * What poolers that share sessions do not let clients set. Whoever takes over the work of a process that is suspended in
 * the middle of a transaction waits for its locks no longer than for a statement.
 */
const SESSION_LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
};

/** How the connections of a process are made. */
export interface ConnectionOptions {
  /** Largest number of connections of this process. */
  readonly poolSize?: number | undefined;
  /** The same database without the pooler that the URL leads to. Without it the URL's connections have sessions. */
  readonly directUrl?: string | undefined;
  /** Those of extensions, besides the service's own. */
  readonly entities?: readonly EntityClass[];
}

/**
 * The options of every connection of the service.
 * @param url URL of the database
 */
export function dataSourceOptions(
  url: string,
  { poolSize = 10, directUrl, entities = [] }: ConnectionOptions = {},
): DataSourceOptions {
  return {
    type: 'postgres',
    driver: { ...pg, Pool: ServicePool },
    url,
    poolSize,
    applicationName: 'org-conversation-service',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    namingStrategy: new SnakeCaseNaming(),
    entities: [join(__dirname, '..', '..', '..', '**', '*.entity.{js,ts}'), ...entities],
    subscribers: [QueryTimeoutSubscriber, ReadOnlySubscriber],
    migrations: [join(__dirname, '..', 'migrations', '*.{js,ts}')],
    migrationsTableName: MIGRATIONS_TABLE,
    migrationsTransactionMode: 'each',
    extra: {
      query_timeout: QUERY_TIMEOUT_MS,
      ...(directUrl === undefined ? SESSION_LIMITS : { directUrl }),
    },
  };
}

/** Also lifts limits that the operator set for the role or the database, as far as this version has them. */
const LIFT_LIMITS = `
  SELECT set_config(name, '0', false) FROM pg_settings
   WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout',
                  'transaction_timeout', 'lock_timeout')`;

/**
 * A data source without time limits and entities, for work on the schema or on all rows; not connected yet.
 * @param migrations in place of the service's own
 */
export function createMaintenanceDataSource(
  url: string,
  poolSize: number,
  migrations: Pick<DataSourceOptions, 'migrations' | 'migrationsTableName'> = {},
): DataSource {
  const extra: pg.PoolConfig = { verify: (client, done) => client.query(LIFT_LIMITS, done) };
  return new DataSource({ ...dataSourceOptions(url, { poolSize }), ...migrations, entities: [], extra });
}

/** A data source that is not connected yet. */
export function createDataSource(url: string, poolSize?: number): DataSource {
  return new DataSource(dataSourceOptions(url, { poolSize }));
}

/** Whether a session lasts as long as its connection, with its settings, prepared statements and locks. */
export function keepsSessions(database: DataSource): boolean {
  return directUrl(database) === undefined;
}

/** The URL of the database for connections that need a session of their own. */
export function sessionUrl(database: DataSource): string {
  const { options } = database;
  if (options.type !== 'postgres' || options.url === undefined)
    throw new Error('The data source was created without a PostgreSQL URL.');
  return directUrl(database) ?? options.url;
}

function directUrl({ options }: DataSource): string | undefined {
  const extra: unknown = options.extra;
  if (typeof extra !== 'object' || extra === null || !('directUrl' in extra)) return undefined;
  return typeof extra.directUrl === 'string' ? extra.directUrl : undefined;
}

/** The pool behind a data source that is connected. */
export function poolOf({ driver }: DataSource): Pool {
  const pool: unknown = driver instanceof PostgresDriver ? driver.master : undefined;
  if (!(pool instanceof Pool)) throw new Error('The data source is not connected to a PostgreSQL.');
  return pool;
}
