import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, DatabaseError, escapeLiteral } from 'pg';
import { z } from 'zod';
import { StartError } from '../../kernel/common';
import type { SocketFolder } from './socket-folder';

/** The cluster's superuser. */
export const SUPERUSER = 'service';

/** The role the service connects as: the owner of everything in it, and no superuser. */
export const SERVICE_ROLE = 'conversation_service';

/** The superuser's password of a cluster that was just made. */
export const INITIAL_PASSWORD = 'password';

const CREDENTIALS = 'credentials.json';
const WRONG_PASSWORD = '28P01';

const credentialsSchema = z.object({ superuser: z.string(), service: z.string() });
type Credentials = z.infer<typeof credentialsSchema>;

/**
 * Ensures the service is not a superuser: makes its role, and gives both their passwords. Done once for a cluster; the
 * next start repairs one that was killed in between.
 * @param home folder of the cluster, whose server listens in `socket`
 * @returns the address of the service's role
 * @throws StartError when the passwords are lost
 */
export async function prepareRoles(home: string, socket: SocketFolder): Promise<string> {
  const known = await readCredentials(home);
  const initial = await readIfThere(join(home, INITIAL_PASSWORD));
  if (known !== null && initial === null) return socket.addressOf(SERVICE_ROLE, known.service);
  if (initial === null)
    throw new StartError(`The passwords of the embedded database are missing in ${home}.`);
  const credentials = known ?? { superuser: newPassword(), service: newPassword() };
  if (known === null) await keepCredentials(home, credentials);
  await setUp(credentials, initial, socket);
  await rm(join(home, INITIAL_PASSWORD), { force: true });
  return socket.addressOf(SERVICE_ROLE, credentials.service);
}

/**
 * The address of the superuser of a cluster whose roles are prepared, for what tests do as operators.
 * @param url the address of the service's role
 */
export async function superuserAddress(home: string, url: string): Promise<string> {
  const known = await readCredentials(home);
  if (known === null) throw new StartError(`The passwords of the embedded database are missing in ${home}.`);
  const address = new URL(url);
  address.username = SUPERUSER;
  address.password = known.superuser;
  return address.href;
}

async function setUp(credentials: Credentials, initial: string, socket: SocketFolder): Promise<void> {
  const superuser =
    (await connected(socket.addressOf(SUPERUSER, initial))) ??
    (await connected(socket.addressOf(SUPERUSER, credentials.superuser)));
  if (superuser === null)
    throw new StartError('The embedded database refuses the passwords that are kept beside it.');
  try {
    await superuser.query(`BEGIN; ${setUpRoles(credentials)}; COMMIT`);
  } finally {
    await superuser.end();
  }
}

function setUpRoles({ superuser, service }: Credentials): string {
  return `
    DO $$ BEGIN
      IF to_regrole('${SERVICE_ROLE}') IS NULL THEN CREATE ROLE ${SERVICE_ROLE}; END IF;
    END $$;
    ALTER ROLE ${SERVICE_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
      PASSWORD ${escapeLiteral(service)};
    ALTER DATABASE postgres OWNER TO ${SERVICE_ROLE};
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    ALTER ROLE ${SUPERUSER} PASSWORD ${escapeLiteral(superuser)}`;
}

async function connected(address: string): Promise<Client | null> {
  const client = new Client({ connectionString: address });
  client.on('error', () => undefined); // the next query fails and reports it
  try {
    await client.connect();
    return client;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === WRONG_PASSWORD) return null;
    throw error;
  }
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

async function readCredentials(home: string): Promise<Credentials | null> {
  const text = await readIfThere(join(home, CREDENTIALS));
  return text === null ? null : credentialsSchema.parse(JSON.parse(text));
}

/** For the folder's owner alone, and on disk for good before the database knows them. */
async function keepCredentials(home: string, credentials: Credentials): Promise<void> {
  const file = join(home, CREDENTIALS);
  const draft = `${file}.new`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(credentials));
    const { uid, gid } = await stat(home);
    if (uid !== process.getuid?.()) await handle.chown(uid, gid);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT')
      return null;
    throw new StartError(`The passwords of the embedded database cannot be read: ${String(error)}`, {
      cause: error,
    });
  }
}
