import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type QueryResultRow, types } from 'pg';
import type { DataSource } from 'typeorm';
import { sessionUrl, DedicatedPool } from '../../../../kernel/database';
import { AppError } from '../../../../kernel/common';

/** Numbers of types in every PostgreSQL. */
const INT8 = 20;
const INT8_LIST = 1016;
const TIMESTAMPTZ = 1184;

type ReadText = (text: string) => unknown;

const driverParser: (type: number) => ReadText = types.getTypeParser;

/**
 * Reads what a query of the list answers: times straight into the text that is answered and counts as numbers,
 * which the driver makes dates and texts of.
 */
const ROW_TYPES = {
  getTypeParser(type: number): ReadText {
    if (type === TIMESTAMPTZ) return isoTime;
    if (type === INT8) return Number;
    if (type === INT8_LIST) return numbers;
    return driverParser(type);
  },
};

/** `2026-11-21 08:06:53.9+00`, as the database writes times in UTC. */
const DATABASE_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?\+00$/;

/**
 * A time of the database, with milliseconds as `Date` has them. One that is not in UTC goes through a `Date`: a
 * pooler or the address of the database can keep the connection's own settings from the server.
 */
export function isoTime(text: string): string {
  const [, day, time, fraction = ''] = DATABASE_TIME.exec(text) ?? [];
  if (day !== undefined && time !== undefined) return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
  const parsed = driverParser(TIMESTAMPTZ)(text);
  if (!(parsed instanceof Date)) throw new Error('The database wrote a time in another form.');
  return parsed.toISOString();
}

function numbers(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
}

/**
 * 500: the list, the record, the statistics or the export could not be read
 * (docs/contract.md#organization-list).
 */
export class ConversationsUnavailableError extends AppError {
  constructor(cause: unknown) {
    super(
      500,
      'conversations_unavailable',
      isTimeOut(cause)
        ? 'Reading the conversations took too long: narrow the request by a longer search text, a shorter time_window or an execution_status.'
        : 'The conversations could not be read.',
      {},
      { cause },
    );
  }
}

const QUERY_CANCELED = '57014';

function isTimeOut(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === QUERY_CANCELED;
}

/** After this the database ends a query of the list; narrower requests stay far below. */
const LIST_TIMEOUT_MS = 3_000;

const CONNECTIONS = 5;

/**
 * Plans made for a page are short: compiling them, or sharing them among processes, takes longer than they
 * do. Where the order of rows comes from reading one index after the other, sharing would also lose it.
 */
const PLANNER = '-c jit=off -c max_parallel_workers_per_gather=0';

/** How the database writes times, for `ROW_TYPES`. */
const TIMES = '-c timezone=UTC -c datestyle=ISO';

/** Statements that each connection keeps at most. */
const MOST_PREPARED = 50;

/** How a query is run. */
export interface ListQueryOptions {
  /** Ends the query that runs. */
  readonly gone?: AbortSignal;
  /**
   * Whether the plan is the same whatever the parameters: then each connection parses and plans it a few times
   * only, which for a page takes longer than running it.
   */
  readonly samePlan?: boolean;
}

/**
 * Connections of their own for what admins read: with a time limit that needs no transaction, and so few
 * that the heaviest search leaves the rest of the service its own (docs/decisions/0009-sql-by-hand.md).
 */
@Injectable()
export class OrgListDatabase implements OnApplicationShutdown {
  private readonly pool: DedicatedPool;
  private readonly names = new Map<string, string>();

  constructor(@InjectDataSource() database: DataSource) {
    this.pool = new DedicatedPool({
      connectionString: sessionUrl(database),
      max: CONNECTIONS,
      connectionTimeoutMillis: LIST_TIMEOUT_MS,
      statement_timeout: LIST_TIMEOUT_MS,
      query_timeout: LIST_TIMEOUT_MS + 1_000,
      application_name: 'org-conversation-service list',
      options: `${PLANNER} ${TIMES}`,
      types: ROW_TYPES,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** @throws ConversationsUnavailableError when the query fails or takes too long */
  async rows<Row extends QueryResultRow>(
    sql: string,
    parameters: readonly unknown[],
    { gone, samePlan = false }: ListQueryOptions = {},
  ): Promise<Row[]> {
    try {
      const statement = { text: sql, values: parameters };
      if (gone !== undefined) return await this.pool.cancellableRows<Row>(statement, gone);
      return await this.pool.rows<Row>({ ...statement, name: samePlan ? this.nameOf(sql) : undefined });
    } catch (error) {
      throw new ConversationsUnavailableError(error);
    }
  }

  /**
   * The only row of a query that always returns one.
   * @throws ConversationsUnavailableError when the query fails or takes too long
   */
  async row<Row extends QueryResultRow>(
    sql: string,
    parameters: readonly unknown[],
    options: ListQueryOptions = {},
  ): Promise<Row> {
    const [row] = await this.rows<Row>(sql, parameters, options);
    if (row === undefined)
      throw new ConversationsUnavailableError(new Error('The database answered no row.'));
    return row;
  }

  /** What connections know a statement by that they keep, the same in all replicas; undefined when they keep enough. */
  private nameOf(sql: string): string | undefined {
    const known = this.names.get(sql);
    if (known !== undefined || this.names.size === MOST_PREPARED) return known;
    const name = `list_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
    this.names.set(sql, name);
    return name;
  }
}
