import { Statement } from '../../../kernel/database';
import type { ModelCallResponse } from './model-calls.dto';

/** A row of the ledger as it is read. */
export interface ModelCallRow extends Omit<ModelCallResponse, 'at' | 'settled_at'> {
  readonly at: Date;
  readonly settled_at: Date | null;
}

/**
 * Calls of an organization ($1), the newest first, from a time and an id on ($2, $3; null for the newest), so many ($4): of a
 * user ($5), a model ($6), a conversation ($7), with a status ($8), each null for all. By hand because a page begins at a pair of
 * columns (docs/decisions/0009-sql-by-hand.md).
 */
export const CALLS_OF_ORG = new Statement<ModelCallRow>(
  `SELECT id, conversation_id, user_id, (SELECT email FROM users u WHERE u.id = user_id) AS user_email, repository,
          tags, model, provider, status,
          prompt_tokens::float8, completion_tokens::float8, cache_read_tokens::float8, cache_write_tokens::float8,
          cost::float8, usage_reported, http_status, latency_ms, first_byte_ms, reserved_usd::float8,
          reserved_tokens::float8, at, settled_at
     FROM model_calls
    WHERE org_id = $1 AND ($2::timestamptz IS NULL OR (at, id) <= ($2, $3::uuid))
      AND ($5::uuid IS NULL OR user_id = $5) AND ($6::text IS NULL OR model = $6)
      AND ($7::uuid IS NULL OR conversation_id = $7) AND ($8::text IS NULL OR status = $8)
    ORDER BY at DESC, id DESC LIMIT $4`,
);
