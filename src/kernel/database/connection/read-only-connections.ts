import { Client, type ClientConfig, type Pool, type PoolClient } from 'pg';
import { isTracing } from '../../telemetry';
import { traceQueries } from './query-spans';

/** What PostgreSQL reports of a session as it begins, and whenever it changes. */
const REPORTED = ['default_transaction_read_only', 'in_hot_standby'];

/**
 * A client that knows whether its session takes writes. It may break at any time, also between being connected and being
 * handed over, or between two queries: the next query on it reports that. Without a listener the process would end.
 */
export class ReportingClient extends Client {
  private readonly reported = new Set<string>();

  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
    if (isTracing()) traceQueries(this);
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (!REPORTED.includes(parameterName)) return;
      if (parameterValue === 'on') this.reported.add(parameterName);
      else this.reported.delete(parameterName);
    });
  }

  get isReadOnly(): boolean {
    return this.reported.size > 0;
  }
}

/** A message of PostgreSQL's protocol. */
interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/**
 * Ends a connection that is given back while its session is read-only, so that the pool does not keep it: the session
 * would stay read-only when the database takes writes again, and refuse whoever got it next.
 */
export function endReadOnly(_error: unknown, client: PoolClient): void {
  if (client instanceof ReportingClient && client.isReadOnly) void client.end();
}

/**
 * Closes the idle connections of a pool after one of them turned out to be read-only. A session stays read-only when
 * the database becomes writable again, or when its host name leads to another server.
 */
export function replaceIdleConnections(pool: Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1)
    pool.connect((error, _client, release) => {
      if (error === undefined) release(true);
    });
}
