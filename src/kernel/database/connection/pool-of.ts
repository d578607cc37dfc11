import { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';

/** The pool behind a data source that is connected. */
export function poolOf({ driver }: DataSource): Pool {
  const pool: unknown = driver instanceof PostgresDriver ? driver.master : undefined;
  if (!(pool instanceof Pool)) throw new Error('The data source is not connected to a PostgreSQL.');
  return pool;
}
