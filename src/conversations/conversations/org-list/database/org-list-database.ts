import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { sessionUrl, DedicatedPool } from '../../../../kernel/database';
import { ROW_TYPES } from './row-types';
import { AppError } from '../../../../kernel/common';

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
export const LIST_TIMEOUT_MS = 3_000;

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
   * The row of a query that always has one.
   * @throws ConversationsUnavailableError when the query fails or takes too long
   */
  async row<Row extends QueryResultRow>(sql: string, parameters: readonly unknown[]): Promise<Row> {
    const [row] = await this.rows<Row>(sql, parameters);
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
