import type { Client } from 'pg';
import { type SecretBox, StartError } from '../../common';

const TEXT = 'SECRET_KEY';
const CONTEXT = 'secret_check';

/**
 * Checks that `SECRET_KEY` is the key this database's secrets are encrypted with. The first start stores a check
 * value; a start with a new key that also lists the old one rewrites it.
 * @param client connected to the migrated database
 * @throws StartError when none of the keys fits
 */
export async function checkSecretKey(client: Client, box: SecretBox): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('INSERT INTO secret_check (sealed) VALUES ($1) ON CONFLICT DO NOTHING', [
      box.seal(TEXT, CONTEXT),
    ]);
    const { rows } = await client.query<{ sealed: string }>('SELECT sealed FROM secret_check FOR UPDATE');
    const sealed = rows[0]?.sealed ?? '';
    if (!opens(box, sealed))
      throw new StartError(
        'SECRET_KEY is not the key that the secrets in this database are encrypted with. Set the right one, or list the earlier one in SECRET_KEYS_OLD.',
      );
    if (!sealed.startsWith(`${box.currentKeyId}.`))
      await client.query('UPDATE secret_check SET sealed = $1', [box.seal(TEXT, CONTEXT)]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Whether a start has encrypted something in a database; one without tables is looked at, too. */
export async function hasSecrets(client: Client): Promise<boolean> {
  const table = await client.query<{ found: boolean }>(
    `SELECT to_regclass('secret_check') IS NOT NULL AS found`,
  );
  if (table.rows[0]?.found !== true) return false;
  return (await client.query('SELECT FROM secret_check')).rows.length > 0;
}

/** Whether the secrets of a database were encrypted with one of these keys; writes nothing. */
export async function isKeyOfSecrets(client: Client, box: SecretBox): Promise<boolean> {
  const { rows } = await client.query<{ sealed: string }>('SELECT sealed FROM secret_check');
  return rows.every(({ sealed }) => opens(box, sealed));
}

function opens(box: SecretBox, sealed: string): boolean {
  try {
    return box.open(sealed, CONTEXT) === TEXT;
  } catch {
    return false;
  }
}
