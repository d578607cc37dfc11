import { type Client, escapeIdentifier } from 'pg';

/** A table as a copy has it. */
export interface CopiedTable {
  /** Quoted, and with its schema where that is not the one that the service works in. */
  readonly name: string;
  /** The columns that can be written, in their order. */
  readonly columns: readonly string[];
}

/** Where a sequence is. */
export interface SequenceState {
  readonly name: string;
  readonly last_value: string;
  readonly is_called: boolean;
}

/** The role that owns the tables of the service; in a database without any, the one that asks. */
const OWNER = `coalesce((SELECT relowner FROM pg_class WHERE oid = to_regclass('schema_migrations')), current_user::regrole)`;

/**
 * Whether a schema `n` is the service's: the one that it works in, and those that the owner of its tables made, as that of the job
 * queue. A role that made the whole cluster owns the system's schemas as well, which only ids below 16384 reveal.
 */
export const OUR_SCHEMA = `(n.nspname = current_schema()
  OR n.nspowner = ${OWNER} AND n.oid >= 16384 AND n.nspname NOT LIKE 'pg\\_%'
     AND NOT EXISTS (SELECT FROM pg_depend d
                      WHERE d.classid = 'pg_namespace'::regclass AND d.objid = n.oid AND d.deptype = 'e'))`;

/** Whether a relation `c` of a schema `n` is the service's; not those of extensions of PostgreSQL. */
export const OUR_RELATION = `${OUR_SCHEMA}
  AND c.relpersistence <> 't'
  AND NOT EXISTS (SELECT FROM pg_depend d
                   WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/** The relations of a kind that are the service's. A partition is copied with its table. */
const OURS = `
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind = ANY ($1) AND NOT c.relispartition AND ${OUR_RELATION}
 ORDER BY name`;

/** All tables of the service, and of what extends it. */
export async function tablesIn(client: Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable>(
    `SELECT c.oid::regclass::text AS name,
            (SELECT coalesce(json_agg(a.attname::text ORDER BY a.attnum), '[]') FROM pg_attribute a
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
     ${OURS}`,
    [['r', 'p']],
  );
  return rows;
}

/** Where all sequences are; they are no part of a snapshot, and so may be ahead of it, never behind. */
export async function sequencesIn(client: Client): Promise<SequenceState[]> {
  const { rows } = await client.query<{ name: string }>(`SELECT c.oid::regclass::text AS name ${OURS}`, [
    ['S'],
  ]);
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const state = await client.query<Omit<SequenceState, 'name'>>(
      `SELECT last_value, is_called FROM ${name}`,
    );
    states.push(...state.rows.map((row) => ({ name, ...row })));
  }
  return states;
}

/** The list of a table's columns, for a statement. */
export function columnList({ columns }: CopiedTable): string {
  return columns.map(escapeIdentifier).join(', ');
}
