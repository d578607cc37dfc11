import type { QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { keepsSessions, poolOf } from '../connection/data-source';

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
    const name = keepsSessions(database) && { name: this.name };
    const statement = { text: this.text, values: [...parameters], ...name };
    return (await poolOf(database).query<Row>(statement)).rows;
  }

  /**
   * Runs it inside a transaction, where it is parsed and planned each time. For statements that end in a
   * For SELECT only: for other statements TypeORM returns more than the rows.
   */
  rowsIn(transaction: EntityManager, parameters: readonly unknown[]): Promise<Row[]> {
    return transaction.query<Row[]>(this.text, [...parameters]);
  }
}
