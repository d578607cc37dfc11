import type { EntityManager } from 'typeorm';
import { PreparedStatement } from '../../../kernel/database';
import type { NewRow } from './entry';

/** By hand: rows are added by the batch, with what of them is personal, by one statement. */
const ADD_ROWS = new PreparedStatement<{ readonly added: number }>(
  'audit-log-add',
  `WITH rows AS (
     INSERT INTO audit_log (position, org_id, id, at, actor_kind, actor_user_id, action, target_type, target_id, outcome,
                            entry, hash)
     SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::uuid[], $7::text[],
                          $8::text[], $9::text[], $10::text[], $11::text[], $12::bytea[])
   )
   INSERT INTO audit_personal (position, user_id, personal, salt)
   SELECT * FROM unnest($13::bigint[], $14::uuid[], $15::text[], $16::bytea[])`,
);

/** Adds rows to the ends of their chains; in the transaction that has looked where those are. */
export async function addRows(transaction: EntityManager, rows: readonly NewRow[]): Promise<void> {
  const columns = rows.map((row) => row.columns);
  const parts = rows.flatMap(({ columns: { position }, personal }) =>
    personal === null ? [] : [{ position, ...personal }],
  );
  await ADD_ROWS.rowsIn(transaction, [
    columns.map(({ position }) => position),
    columns.map(({ org_id }) => org_id),
    columns.map(({ id }) => id),
    columns.map(({ at }) => at),
    columns.map(({ actor_kind }) => actor_kind),
    columns.map(({ actor_user_id }) => actor_user_id),
    columns.map(({ action }) => action),
    columns.map(({ target_type }) => target_type),
    columns.map(({ target_id }) => target_id),
    columns.map(({ outcome }) => outcome),
    rows.map(({ entry }) => entry),
    rows.map(({ hash }) => hash),
    parts.map(({ position }) => position),
    parts.map(({ userId }) => userId),
    parts.map(({ text }) => text),
    parts.map(({ salt }) => salt),
  ]);
}
