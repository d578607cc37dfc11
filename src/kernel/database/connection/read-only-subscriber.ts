import { Client } from 'pg';
import { type AfterQueryEvent, type EntitySubscriberInterface, EventSubscriber } from 'typeorm';
import { isDatabaseReadOnly } from './database-errors';
import { poolOf } from './pool-of';
import { replaceIdleConnections } from './read-only-connections';

/** Closes a connection that turned out to be read-only, and the idle ones of its pool. */
@EventSubscriber()
export class ReadOnlySubscriber implements EntitySubscriberInterface {
  async afterQuery({ error, queryRunner, dataSource }: AfterQueryEvent): Promise<void> {
    if (!isDatabaseReadOnly(error)) return;
    const connection: unknown = await queryRunner.connect();
    if (connection instanceof Client) void connection.end();
    replaceIdleConnections(poolOf(dataSource));
  }
}
