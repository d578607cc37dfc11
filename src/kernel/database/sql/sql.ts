import type { EntityManager } from 'typeorm';

/** What runs a statement written by hand: the data source for one of its own, or a caller's transaction. */
export type SqlRunner = Pick<EntityManager, 'query'>;

/**
 * A row with some columns of an entity's table, as the driver reads it: their types are declared once, in the
 * entity, and their names are those of the table.
 */
export type ColumnsOf<Entity, Property extends keyof Entity & string> = {
  readonly [Name in Property as SnakeCase<Name>]: Entity[Name];
};

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** Rows of a query and of an `INSERT`; of other changes, TypeORM gives their number as well. */
type Result<Row> = Row[] | [rows: Row[], affected: number];

/** The rows that a statement returns; for a change, those of its `RETURNING`. */
export async function queryRows<Row extends object>(
  runner: SqlRunner,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await runner.query<Result<Row>>(sql, [...parameters]);
  return isOfChange(result) ? result[0] : result;
}

/** The first row that a statement answers, or null. */
export async function queryRow<Row extends object>(
  runner: SqlRunner,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row | null> {
  const [row] = await queryRows<Row>(runner, sql, parameters);
  return row ?? null;
}

/**
 * Runs an `UPDATE` or a `DELETE`.
 * @returns how many rows it changed
 */
export async function execute(
  runner: SqlRunner,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<number> {
  const result = await runner.query<Result<object>>(sql, [...parameters]);
  return isOfChange(result) ? result[1] : result.length;
}

function isOfChange<Row extends object>(result: Result<Row>): result is [Row[], number] {
  return Array.isArray(result[0]);
}
