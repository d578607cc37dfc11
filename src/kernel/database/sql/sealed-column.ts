import type { SecretBox } from '../../common';
import type { DataSource } from 'typeorm';

/** A column whose texts a `SecretBox` has sealed, in a table whose primary key is a UUID `id`; its owner declares it. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The context that the text of a row is bound to. */
  readonly contextOf: (id: string) => string;
}

/** How many texts of a column each key has sealed, by the key's id. */
type SealedCounts = ReadonlyMap<string, number>;

const BATCH = 500;

/**
 * Re-encrypts with the current key what older keys of the box have sealed; in batches, while the service runs. A
 * row that changes meanwhile keeps its new value.
 * @returns how many texts were moved
 */
export async function resealColumn(
  database: DataSource,
  box: SecretBox,
  { table, column, contextOf }: SealedColumn,
): Promise<number> {
  const older = box.keyIds.slice(1);
  let moved = 0;
  for (let after: string | null = null; ;) {
    const rows: { id: string; sealed: string }[] = await database.query(
      `SELECT id, ${column} AS sealed FROM ${table}
        WHERE split_part(${column}, '.', 1) = ANY ($1) AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT ${BATCH}`,
      [older, after],
    );
    const last = rows.at(-1);
    if (last === undefined) return moved;
    after = last.id;
    const resealed = rows.flatMap(({ id, sealed }) => reseal(box, sealed, contextOf(id), id));
    const [, count] = await database.query<[unknown[], number]>(
      `UPDATE ${table} SET ${column} = new.resealed
         FROM jsonb_to_recordset($1::jsonb) AS new (id uuid, sealed text, resealed text)
        WHERE ${table}.id = new.id AND ${table}.${column} = new.sealed`,
      [JSON.stringify(resealed)],
    );
    moved += count;
  }
}

/** What each key has sealed in a column, keys that are not known any more included. */
export async function countSealed(
  database: DataSource,
  { table, column }: SealedColumn,
): Promise<SealedCounts> {
  const rows = await database.query<{ key: string; count: number }[]>(
    `SELECT split_part(${column}, '.', 1) AS key, count(*)::int AS count FROM ${table}
      WHERE ${column} IS NOT NULL GROUP BY 1`,
  );
  return new Map(rows.map(({ key, count }) => [key, count]));
}

/** Nothing for a text that was changed: it stays, and is counted as left. */
function reseal(
  box: SecretBox,
  sealed: string,
  context: string,
  id: string,
): { id: string; sealed: string; resealed: string }[] {
  try {
    return [{ id, sealed, resealed: box.seal(box.open(sealed, context), context) }];
  } catch {
    return [];
  }
}
