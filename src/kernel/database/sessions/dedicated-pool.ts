import type { Pool, PoolConfig, QueryResultRow, ClientBase } from 'pg';
import { openPool } from '../connection/open-pool';

/** A statement for connections of its own. */
interface DedicatedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The name under which connections keep its plan; without one it is planned each time. */
  readonly name?: string | undefined;
}

/** Connections apart from those of the data source, for work that must not use these up. */
export class DedicatedPool {
  private readonly pool: Pool;

  constructor(config: PoolConfig) {
    this.pool = openPool(config);
  }

  /** Closes all connections. */
  async end(): Promise<void> {
    await this.pool.end();
  }

  /** @throws what the driver throws */
  async rows<Row extends QueryResultRow>({ text, values, name }: DedicatedStatement): Promise<Row[]> {
    return (await this.pool.query<Row>({ text, values: [...values], ...(name && { name }) })).rows;
  }

  /** As {@link rows}; the database cancels the statement when the signal is aborted. */
  async cancellableRows<Row extends QueryResultRow>(
    { text, values }: DedicatedStatement,
    signal: AbortSignal,
  ): Promise<Row[]> {
    const client = await this.pool.connect();
    let cancelling: Promise<unknown> | undefined;
    const cancel = (): void => {
      cancelling = this.pool
        .query('SELECT pg_cancel_backend($1)', [processOf(client)])
        .catch(() => undefined);
    };
    let failure: unknown;
    try {
      signal.throwIfAborted();
      signal.addEventListener('abort', cancel, { once: true });
      return (await client.query<Row>(text, [...values])).rows;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      // The connection goes back only when no cancellation can hit the next query on it.
      await cancelling;
      // Nor with a query that was given up without a response.
      client.release(failure !== undefined);
    }
  }
}

/** The server process of a connection as the server announced it; the driver has it, and its types leave it out. */
export function processOf(client: ClientBase): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
}
