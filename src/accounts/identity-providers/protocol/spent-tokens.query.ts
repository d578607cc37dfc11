import { type ColumnsOf, queryRows, type SqlRunner } from '../../../kernel/database';
import type { SpentToken } from '../record/spent-token.entity';

/** Notes that a token was used. By hand: of concurrent uses, exactly one is told that it is the first. */
export async function insertSpentToken(
  database: SqlRunner,
  digest: string,
  expiresAt: Date,
): Promise<boolean> {
  const inserted = await queryRows<ColumnsOf<SpentToken, 'digest'>>(
    database,
    `INSERT INTO spent_tokens (digest, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING digest`,
    [digest, expiresAt],
  );
  return inserted.length > 0;
}
