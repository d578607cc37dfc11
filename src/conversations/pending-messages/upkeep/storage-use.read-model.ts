import { Statement } from '../../../kernel/database';

/** The highest use of a limit of stored bytes. */
export interface StorageUseRow {
  readonly limit: string;
  readonly owner: string;
  readonly ratio: number;
}

/*
 * By hand because counters of several modules are compared with their limits at once.
 */

/**
 * Who uses a limit most, at most 20 of each: bytes of messages of a user ($1) and of an organization ($2), of events
 * of a conversation ($3) and of an organization ($4), and of messages for a conversation to come ($5).
 */
export const STORAGE_USE = new Statement<StorageUseRow>(
  `(SELECT 'user_messages' AS limit, owner_id AS owner, bytes / $1::double precision AS ratio
      FROM message_bytes WHERE owner_id IN (SELECT id FROM users) ORDER BY bytes DESC LIMIT 20)
   UNION ALL
   (SELECT 'organization_messages', owner_id, bytes / $2::double precision
      FROM message_bytes WHERE owner_id IN (SELECT id FROM organizations) ORDER BY bytes DESC LIMIT 20)
   UNION ALL
   (SELECT 'conversation_events', conversation_id, bytes / $3::double precision
      FROM event_logs ORDER BY bytes DESC LIMIT 20)
   UNION ALL
   (SELECT 'organization_events', org_id, sum(bytes) / $4::double precision
      FROM event_bytes GROUP BY org_id ORDER BY sum(bytes) DESC LIMIT 20)
   UNION ALL
   (SELECT 'early_queue_messages', q.id, sum(octet_length(m.content)) / $5::double precision
      FROM message_queues q JOIN pending_messages m ON m.queue_id = q.id
     WHERE q.early_key IS NOT NULL AND m.state IN ('queued', 'delivering')
     GROUP BY q.id ORDER BY sum(octet_length(m.content)) DESC LIMIT 20)`,
);
