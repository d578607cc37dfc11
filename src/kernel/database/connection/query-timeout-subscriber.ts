import { Client } from 'pg';
import { type AfterQueryEvent, type EntitySubscriberInterface, EventSubscriber } from 'typeorm';
import { isQueryTimeout } from './database-errors';

/**
 * Closes a connection on which a query timed out. The driver abandons only the query: the connection would return
 * to the pool with that query ahead of every later one, until TCP notices after many minutes that the host is gone.
 */
@EventSubscriber()
export class QueryTimeoutSubscriber implements EntitySubscriberInterface {
  async afterQuery({ error, queryRunner }: AfterQueryEvent): Promise<void> {
    if (!isQueryTimeout(error)) return;
    const connection: unknown = await queryRunner.connect();
    // Not awaited: the server is not responding.
    if (connection instanceof Client) void connection.end();
  }
}
