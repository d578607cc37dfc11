import { LARGE_BYTES } from '../../listed/listed-conversation.query';
import { COLUMNS, FROM, type OrgConversationRow } from '../list/org-conversation.read-model';
import type { ListCondition } from '../list/list-condition.read-model';

/** A statement with its parameters. */
export interface BatchStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Where an export goes on: the last row before. */
export type Place = Pick<OrgConversationRow, 'createdAt' | 'id'>;

/** Bytes of tags and pull requests after which a batch ends. */
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * The rows of an export that come after another one, oldest first. By hand because a batch begins at a pair of
 * columns, which TypeORM cannot compare, and reads the rows of the list (docs/decisions/0009-sql-by-hand.md).
 * A batch has at least one row while any are left.
 * @param after the last row of the batch before; null for the first batch
 */
export function exportBatch(
  { branches, parameters }: ListCondition,
  after: Place | null,
  limit: number,
): BatchStatement {
  const rest = afterPlace(parameters, after);
  return {
    sql: `SELECT * FROM (
            SELECT *, sum(bytes) OVER (ORDER BY "createdAt", id) - bytes AS before
              FROM (SELECT ${COLUMNS}, ${LARGE_BYTES} AS bytes FROM ${FROM}
                     WHERE (${branches.join(' OR ')})${rest.sql}
                     ORDER BY c.created_at, c.id LIMIT ${limit}) next) sized
           WHERE before < ${BATCH_BYTES} ORDER BY "createdAt", id`,
    parameters: rest.parameters,
  };
}

/** The condition that conversations `c` come after a place, with the parameters of the statement that it is added to. */
export function afterPlace(parameters: readonly unknown[], after: Place | null): BatchStatement {
  if (after === null) return { sql: '', parameters };
  const count = parameters.length;
  return {
    sql: ` AND (c.created_at, c.id) > ($${count + 1}::timestamptz, $${count + 2}::uuid)`,
    parameters: [...parameters, after.createdAt, after.id],
  };
}
