import { Client, type QueryConfig, type QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { keepsSessions, poolOf } from '../connection/data-source';
import { isDatabaseReadOnly, isQueryTimeout } from '../connection/database-errors';
import { replaceIdleConnections } from '../connection/read-only-connections';

/**
 * A statement that each connection parses and plans once: for queries of so many requests that planning each
 * time would cost more than running them. Behind a pooler that shares sessions it is parsed and planned each time.
 */
export class PreparedStatement<Row extends QueryResultRow> {
  /**
   * @param name its unique name on a connection
   * @param text SQL whose parameters are `$1` and so on
   */
  constructor(
    private readonly name: string,
    private readonly text: string,
  ) {}

  /** Runs the statement on a connection of the shared pool: a data source's own `query` cannot name statements. */
  async rows(database: DataSource, parameters: readonly unknown[]): Promise<Row[]> {
    const pool = poolOf(database);
    try {
      return (await pool.query<Row>(this.named(database, parameters))).rows;
    } catch (error) {
      if (isDatabaseReadOnly(error)) replaceIdleConnections(pool);
      throw error;
    }
  }

  /**
   * Runs it on the connection of a transaction, which cannot name statements either.
   * @throws what PostgreSQL says; a connection that does not respond, or takes no writes, is closed as by other statements
   */
  async rowsIn(transaction: EntityManager, parameters: readonly unknown[]): Promise<Row[]> {
    const client: unknown = await transaction.queryRunner?.connect();
    if (!(client instanceof Client) || transaction.queryRunner?.isTransactionActive !== true)
      throw new Error('There is no transaction for the statement.');
    const { dataSource } = transaction;
    try {
      return (await client.query<Row>(this.named(dataSource, parameters))).rows;
    } catch (error) {
      if (isQueryTimeout(error) || isDatabaseReadOnly(error)) void client.end();
      if (isDatabaseReadOnly(error)) replaceIdleConnections(poolOf(dataSource));
      throw error;
    }
  }

  private named(database: DataSource, parameters: readonly unknown[]): QueryConfig {
    const name = keepsSessions(database) && { name: this.name };
    return { text: this.text, values: [...parameters], ...name };
  }
}
