import { Client } from 'pg';
import { type AfterQueryEvent, type EntitySubscriberInterface, EventSubscriber } from 'typeorm';
import { isQueryTimeout } from './database-errors';

/**
 * Ends a connection whose server did not answer in time. The driver gives up the query only, and the connection
 * would go back to the pool with that query before every later one, until the system notices after many minutes
 * that the host is gone.
 */
@EventSubscriber()
export class QueryTimeoutSubscriber implements EntitySubscriberInterface {
  async afterQuery({ error, queryRunner }: AfterQueryEvent): Promise<void> {
    if (!isQueryTimeout(error)) return;
    const connection: unknown = await queryRunner.connect();
    // Not waited for: it is the server that says nothing.
    if (connection instanceof Client) void connection.end();
  }
}
