import type { Client } from 'pg';
import { StartError } from '../../common';
import { type AddressSetting, withConnection } from '../connection/connection-check';
import { processOf } from './dedicated-pool';

/** The addresses of a database. */
export interface DatabaseAddresses {
  readonly url: string;
  /** The URL of the server itself, where `url` is that of a pooler that shares sessions. */
  readonly directUrl?: string | undefined;
  /** The URL with the role that owns the schema, where that is not the one of `url`. */
  readonly migrationUrl?: string | undefined;
}

/** The setting that the address for sessions comes from. */
export function settingOf({ directUrl }: Pick<DatabaseAddresses, 'directUrl'>): AddressSetting {
  return directUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
}

/** Called with what an operator should change. */
interface PoolerLog {
  warn(message: string): void;
}

/** A pooler hands out the session that was used last, unless others use it at that moment. */
const TRIES = 3;

/**
 * Checks that connections that need a session of their own get one, in the database that all others use; and says so
 * where a pooler keeps the service from setting time limits, and the role lacks one.
 * @param client connected to `directUrl`, or to `url` without it
 * @throws StartError when that is a pooler that shares sessions, or another database
 */
export async function checkPooler(
  client: Client,
  { url, directUrl }: DatabaseAddresses,
  log: PoolerLog,
): Promise<void> {
  const name = settingOf({ directUrl });
  if (await sharesSession(client, directUrl ?? url, name))
    throw new StartError(
      `${name} leads to a pooler in which connections share sessions. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.`,
    );
  if (directUrl === undefined) return;
  const [direct, pooled] = [await placeOf(client), await withConnection(url, placeOf)];
  if (direct.database !== pooled.database)
    throw new StartError(
      'DATABASE_DIRECT_URL and DATABASE_URL lead to different databases. Set DATABASE_DIRECT_URL to the address of the same database at the server itself.',
    );
  for (const limit of pooled.unset)
    log.warn(
      `No ${limit} holds for what goes through the pooler at DATABASE_URL. Set one for the role there: ALTER ROLE … SET ${limit} = '10s'.`,
    );
}

/** Whether another connection that is open at the same time is seen to use the same session. */
async function sharesSession(client: Client, url: string, setting: AddressSetting): Promise<boolean> {
  // PostgreSQL itself names its process when a client connects; a pooler makes a number up.
  if ((await currentProcess(client)) === processOf(client)) return false;
  const isShared = async (other: Client): Promise<boolean> => {
    for (let i = 0; i < TRIES; i++)
      if ((await currentProcess(client)) === (await currentProcess(other))) return true;
    return false;
  };
  return withConnection(url, isShared, setting);
}

async function currentProcess(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

interface Place {
  /** The same for all connections to a database, and for no other one. */
  readonly database: string;
  /** The time limits that do not hold there. */
  readonly unset: readonly string[];
}

async function placeOf(client: Client): Promise<Place> {
  const { rows } = await client.query<Place>(
    `SELECT system_identifier || ' ' || current_database() AS database,
            ARRAY(SELECT name FROM pg_settings
                   WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout') AND setting = '0') AS unset
       FROM pg_control_system()`,
  );
  const [place] = rows;
  if (place === undefined) throw new Error('PostgreSQL does not say which server it is.');
  return place;
}
