import { Client, DatabaseError } from 'pg';
import { messageOf, StartError } from '../../common';

const OLDEST = 14;
const CONNECT_MS = 5_000;

/** A setting that has the address of a database. */
export type AddressSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'MIGRATION_DATABASE_URL';

/**
 * Runs a task on a connection of its own.
 * @param setting the one that the address is of
 * @throws StartError when the database cannot be used; the message names the setting and shows no password
 */
export async function withConnection<T>(
  url: string,
  task: (client: Client) => Promise<T>,
  setting: AddressSetting = 'DATABASE_URL',
): Promise<T> {
  const client = await connect(url, setting);
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}

/** @throws StartError when the server is older than the service can work with */
export async function checkVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name`,
  );
  const [version] = rows;
  if (version === undefined || version.number < OLDEST * 10_000)
    throw new StartError(
      `The service needs PostgreSQL ${OLDEST} or newer; DATABASE_URL is ${version?.name}.`,
    );
}

async function connect(url: string, setting: AddressSetting): Promise<Client> {
  let place = 'the given address';
  try {
    const { protocol, host, pathname } = new URL(url);
    if (!/^postgres(ql)?:$/.test(protocol)) throw new TypeError(`${protocol} is no address of PostgreSQL.`);
    place = host + pathname;
    const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
    client.on('error', () => undefined); // the next query reports it
    await client.connect();
    return client;
  } catch (error) {
    throw new StartError(`${setting}: the database at ${place} cannot be used: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof DatabaseError) return error.message;
  if (error instanceof TypeError) return 'it is not an address like postgres://user:password@host:5432/name';
  return messageOf(error);
}
