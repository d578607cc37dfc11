import type { SecretBox } from '../../../kernel/common';
import { type ColumnsOf, queryRows, type SqlRunner } from '../../../kernel/database';
import type { Invitation } from './invitation.entity';
import { tokenKeyOf } from './invitation-tokens';

const BATCH = 500;

type OpenRow = ColumnsOf<Invitation, 'id' | 'generation' | 'tokenDigest' | 'expiresAt'>;

/** By hand: batches by id, and expiry by the database's clock. */
const OPEN_BATCH = `
  SELECT id, generation, token_digest, expires_at FROM invitations
   WHERE status = 'pending' AND expires_at > clock_timestamp() AND id > $1 ORDER BY id LIMIT ${BATCH}`;

/** Open invitations whose links derive from one key. */
export interface OpenLinks {
  readonly count: number;
  /** When the last of them expires. */
  readonly until: Date;
}

/** Counts the links of open invitations by the id of the key that they derive from; unknown keys are left out. */
export async function countOpenLinks(runner: SqlRunner, box: SecretBox): Promise<Map<string, OpenLinks>> {
  const links = new Map<string, OpenLinks>();
  let rows = await queryRows<OpenRow>(runner, OPEN_BATCH, [0]);
  while (rows.length > 0) {
    for (const { id, generation, token_digest: tokenDigest, expires_at: until } of rows) {
      const key = tokenKeyOf(box, { id, generation, tokenDigest });
      if (key === null) continue;
      const known = links.get(key) ?? { count: 0, until };
      links.set(key, { count: known.count + 1, until: until > known.until ? until : known.until });
    }
    rows = await queryRows<OpenRow>(runner, OPEN_BATCH, [rows.at(-1)?.id]);
  }
  return links;
}
