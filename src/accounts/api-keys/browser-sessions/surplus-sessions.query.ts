import { execute, type SqlRunner } from '../../../kernel/database';

/**
 * Ends the least recently used sessions of a key beyond a limit. By hand: TypeORM cannot delete in an order. Concurrent
 * sign-ins may exceed the limit by a few, until the next one.
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
