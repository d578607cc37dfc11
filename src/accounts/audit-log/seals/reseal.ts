import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../kernel/common';
import { NO_HASH } from '../chain/entry';
import { macOf, stateOf } from './seal';
import { RESEAL, SEALS_BY_KEY, SEALS_BY_OTHER_KEYS } from './seals.query';

const BATCH = 2_000;

/**
 * Gives the seals of the audit log that older keys have made a mac by the present key; in batches, while the service runs. A seal
 * that does not fit its key stays as it is: it would look genuine otherwise.
 * @returns how many were moved
 */
export async function resealAuditLog(database: DataSource, box: SecretBox): Promise<number> {
  let moved = 0;
  for (let after = '0'; ;) {
    const found = await SEALS_BY_OTHER_KEYS.rows(database, [box.currentKeyId, after, BATCH]);
    const last = found.at(-1);
    if (last === undefined) return moved;
    after = last.id;
    const fitting = found.filter((seal) => stateOf(box, seal, seal.before ?? NO_HASH) === 'fits');
    const [changed] = await RESEAL.rows(database, [
      fitting.map(({ id }) => id),
      fitting.map(({ mac }) => mac),
      fitting.map((seal) => macOf(box, seal, seal.before ?? NO_HASH)),
      box.currentKeyId,
    ]);
    moved += changed?.count ?? 0;
  }
}

/** How many seals of the audit log each key has made, by the key's id. */
export async function countAuditSeals(database: DataSource): Promise<ReadonlyMap<string, number>> {
  const rows = await SEALS_BY_KEY.rows(database);
  return new Map(rows.map(({ key_id, count }) => [key_id, count]));
}
