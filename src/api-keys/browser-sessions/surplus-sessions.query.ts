import { execute, type SqlRunner } from '../../database';

/**
 * Ends the sessions of a key beyond so many, those used least recently. By hand: TypeORM deletes by no order.
 * Sign-ins at once may leave a few more, until the next one.
 */
export async function deleteSurplusSessions(
  database: SqlRunner,
  apiKeyId: number,
  most: number,
): Promise<void> {
  await execute(
    database,
    `DELETE FROM browser_sessions
      WHERE id IN (SELECT id FROM browser_sessions WHERE api_key_id = $1
                    ORDER BY last_used_at DESC, id DESC OFFSET $2)`,
    [apiKeyId, most],
  );
}
