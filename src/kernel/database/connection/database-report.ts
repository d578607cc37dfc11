import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { type AddressSetting, withConnection } from './connection-check';

/** What a server reports about itself and the rights of the service. */
export interface DatabaseReport {
  readonly version: string;
  readonly isReadOnly: boolean;
  /** Whether the extension for searches is there, or can be made by the service. */
  readonly hasTrigrams: boolean;
  /** Whether the role may make tables and extensions. */
  readonly mayMigrate: boolean;
  /** Connections that are still free for the role. */
  readonly freeConnections: number;
  /** The latency of one small statement. */
  readonly latencyMs: number;
  /** How far the server's clock is ahead of ours. */
  readonly clockAheadMs: number;
}

const REPORT = `
  SELECT current_setting('server_version') AS version,
         current_setting('transaction_read_only') = 'on' AS "isReadOnly",
         EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS "hasTrigrams",
         has_database_privilege(current_database(), 'CREATE')
           AND coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayMigrate",
         least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                 - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
               (SELECT CASE WHEN rolconnlimit < 0 THEN NULL ELSE rolconnlimit
                              - (SELECT count(*) FROM pg_stat_activity a WHERE a.usename = current_user) END
                  FROM pg_roles WHERE rolname = current_user))::int AS "freeConnections"`;
const CLOCK = `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`;
const SAMPLES = 5;

/** Asks a server for all of it; writes nothing. */
export async function reportOn(client: Client): Promise<DatabaseReport> {
  const { rows } = await client.query<Omit<DatabaseReport, 'latencyMs' | 'clockAheadMs'>>(REPORT);
  const [report] = rows;
  if (report === undefined) throw new Error('The database says nothing of itself.');
  // The quickest sample says most about the clock: the least time can have passed between query and reading.
  let quickest = { latencyMs: Infinity, clockAheadMs: 0 };
  for (let sample = 0; sample < SAMPLES; sample++) {
    const asked = performance.now();
    const { rows: times } = await client.query<{ ms: number }>(CLOCK);
    const latencyMs = performance.now() - asked;
    const clockAheadMs = (times[0]?.ms ?? 0) - (Date.now() - latencyMs / 2);
    if (latencyMs < quickest.latencyMs) quickest = { latencyMs, clockAheadMs };
  }
  return { ...report, ...quickest };
}

/**
 * Whether notifications that are sent over one connection are received on another: poolers that give each transaction a
 * connection lose them.
 * @param listening address of the connection that listens
 * @param setting the one that it is of
 * @param sending of the one that sends
 */
export async function receivesNotifications(
  listening: string,
  setting: AddressSetting,
  sending: Client,
  waitMs: number,
): Promise<boolean> {
  const channel = `doctor_${randomUUID().replaceAll('-', '')}`;
  const listen = async (client: Client): Promise<boolean> => {
    const isReceived = new Promise<boolean>((resolve) => {
      client.on('notification', () => resolve(true));
      setTimeout(() => resolve(false), waitMs).unref();
    });
    await client.query(`LISTEN ${channel}`);
    await sending.query('SELECT pg_notify($1, $2)', [channel, '']);
    return isReceived;
  };
  return withConnection(listening, listen, setting);
}
