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
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}` ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}` : '';
/** The rows that a statement answers; those of a change are what it says after `RETURNING`. */
export declare function queryRows<Row extends object>(runner: SqlRunner, sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
/** The first row that a statement answers, or null. */
export declare function queryRow<Row extends object>(runner: SqlRunner, sql: string, parameters?: readonly unknown[]): Promise<Row | null>;
/**
 * Runs an `UPDATE` or a `DELETE`.
 * @returns how many rows it changed
 */
export declare function execute(runner: SqlRunner, sql: string, parameters?: readonly unknown[]): Promise<number>;
export {};
