import type { DataSource } from 'typeorm';

/** Where a text is found. */
export interface FoundText {
  readonly text: string;
  readonly table: string;
  readonly column: string;
  readonly rows: number;
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly isBytes: boolean;
}

/** Tables that are no partition of another one, of every schema that is not the system's. */
const COLUMNS = `
  SELECT format('%I.%I', n.nspname, c.relname) AS "table", quote_ident(a.attname) AS "column",
         a.atttypid = 'bytea'::regtype AS "isBytes"
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
     AND n.nspname NOT IN ('pg_catalog', 'information_schema')
   ORDER BY 1, 2`;

/**
 * Looks for texts in every column of every table, in any case, those of libraries included.
 * @returns where they are found; nothing where none is
 */
export async function everyColumn(db: DataSource, texts: readonly string[]): Promise<FoundText[]> {
  const found: FoundText[] = [];
  for (const { table, column, isBytes } of await db.query<Column[]>(COLUMNS)) {
    const content = isBytes ? `encode(${column}, 'escape')` : `${column}::text`;
    const rows = await db.query<{ text: string; rows: number }[]>(
      `SELECT wanted.text, count(*)::integer AS rows
         FROM ${table} t JOIN unnest($1::text[]) wanted (text) ON strpos(lower(${content}), lower(wanted.text)) > 0
        GROUP BY 1`,
      [texts],
    );
    found.push(...rows.map((row) => ({ ...row, table, column })));
  }
  return found;
}
