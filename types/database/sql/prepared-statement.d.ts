import type { QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
/**
 * A statement that each connection parses and plans once: for queries of so many requests that planning each
 * time would cost more than running them.
 */
export declare class PreparedStatement<Row extends QueryResultRow> {
    private readonly name;
    private readonly text;
    /**
     * @param name its unique name on a connection
     * @param text SQL whose parameters are `$1` and so on
     */
    constructor(name: string, text: string);
    /** Runs the statement on a connection of the shared pool: a data source's own `query` cannot name statements. */
    rows(database: DataSource, parameters: readonly unknown[]): Promise<Row[]>;
    /**
     * Runs it inside a transaction, where it is parsed and planned each time. For statements that end in a
     * SELECT: of others TypeORM hands over more than the rows.
     */
    rowsIn(transaction: EntityManager, parameters: readonly unknown[]): Promise<Row[]>;
}
