import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const INDEXES: readonly (readonly [name: string, definition: string])[] = [
  [
    'domain_events_conversation',
    `(conversation_id, position) WHERE position IS NOT NULL AND kind <> 'event.received'`,
  ],
  [
    'domain_events_received',
    `(conversation_id, position) WHERE position IS NOT NULL AND kind = 'event.received'`,
  ],
  [
    'domain_events_sandbox',
    `((event ->> 'sandbox_id'), position) WHERE position IS NOT NULL AND kind = 'sandbox.status_changed'`,
  ],
];

/** Lets the stream of a conversation read what happened to it and to its sandbox. */
export class EventsOfOneConversation20261126201400 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;
  /** Indexes are made while events are written. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A replica of an older build that starts meanwhile waits for this migration, and this one for its snapshot.
    await runner.query(`SET lock_timeout = '60s'`);
    for (const [name, definition] of INDEXES) {
      // What an interrupted run left may be invalid.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON domain_events ${definition}`);
    }
    await runner.query('RESET lock_timeout');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${INDEXES.map(([name]) => name).join(', ')}`);
  }
}
