import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** The bytes of a message that count: all, while it is undelivered, of one that is not small. */
const counted = (row: 'NEW' | 'OLD' | 'm'): string =>
  `CASE WHEN ${row}.state IN ('queued', 'delivering') AND octet_length(${row}.content) > 4096
        THEN octet_length(${row}.content) ELSE 0 END`;

/**
 * One row for each user and each organization, locked by who counts: organizations before users, and both after
 * their queue. Small messages are not counted, since ten of them at most wait in a queue: so the usual message
 * neither waits nor writes here.
 */
const COUNTERS = `
  CREATE TABLE message_bytes (
    owner_id uuid NOT NULL PRIMARY KEY,
    bytes bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50);
  COMMENT ON TABLE message_bytes IS 'bytes of undelivered messages of a user or an organization';

  CREATE FUNCTION message_bytes_add(owner uuid, added bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO message_bytes AS b (owner_id, bytes) SELECT owner, added WHERE owner IS NOT NULL
    ON CONFLICT (owner_id) DO UPDATE SET bytes = b.bytes + added $$;

  CREATE FUNCTION message_bytes_exceeded(
    sender uuid, org uuid, added bigint, user_bytes bigint, org_bytes bigint
  ) RETURNS text LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM message_bytes_add(org, 0), message_bytes_add(sender, 0);
    RETURN CASE
      WHEN EXISTS (SELECT 1 FROM message_bytes WHERE owner_id = sender AND bytes + added > user_bytes) THEN 'user'
      WHEN EXISTS (SELECT 1 FROM message_bytes WHERE owner_id = org AND bytes + added > org_bytes) THEN 'organization'
    END;
  END $$;

  CREATE FUNCTION queue_bytes_add(queue uuid, added bigint) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    sender uuid;
    org uuid;
  BEGIN
    SELECT q.user_id, coalesce(c.org_id, q.org_id) INTO sender, org
      FROM message_queues q LEFT JOIN conversations c ON c.id = q.conversation_id WHERE q.id = queue;
    PERFORM message_bytes_add(org, added), message_bytes_add(sender, added);
  END $$;

  CREATE FUNCTION pending_messages_counted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM queue_bytes_add(NEW.queue_id, ${counted('NEW')}
      - CASE TG_OP WHEN 'UPDATE' THEN ${counted('OLD')} ELSE 0 END);
    RETURN NULL;
  END $$;
  CREATE TRIGGER pending_messages_counted_in AFTER INSERT ON pending_messages
    FOR EACH ROW WHEN (${counted('NEW')} > 0) EXECUTE FUNCTION pending_messages_counted();
  CREATE TRIGGER pending_messages_counted_anew AFTER UPDATE OF state, content ON pending_messages
    FOR EACH ROW WHEN (${counted('NEW')} <> ${counted('OLD')}) EXECUTE FUNCTION pending_messages_counted();

  CREATE FUNCTION message_queues_counted() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    held bigint;
    org uuid;
  BEGIN
    SELECT coalesce(sum(${counted('m')}), 0) INTO held FROM pending_messages m
     WHERE m.queue_id = OLD.id AND m.state IN ('queued', 'delivering');
    IF held > 0 AND TG_OP = 'DELETE' THEN
      SELECT org_id INTO org FROM conversations WHERE id = OLD.conversation_id;
      PERFORM message_bytes_add(coalesce(org, OLD.org_id), -held), message_bytes_add(OLD.user_id, -held);
    ELSIF held > 0 AND OLD.org_id IS NULL THEN
      PERFORM message_bytes_add((SELECT org_id FROM conversations WHERE id = NEW.conversation_id), held);
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END $$;
  CREATE TRIGGER message_queues_counted_out BEFORE DELETE ON message_queues
    FOR EACH ROW EXECUTE FUNCTION message_queues_counted();
  CREATE TRIGGER message_queues_counted_attached AFTER UPDATE OF conversation_id ON message_queues
    FOR EACH ROW WHEN (OLD.conversation_id IS NULL AND NEW.conversation_id IS NOT NULL)
    EXECUTE FUNCTION message_queues_counted();

  INSERT INTO message_bytes (owner_id, bytes)
  SELECT owner, sum(octet_length(m.content))
    FROM pending_messages m JOIN message_queues q ON q.id = m.queue_id
    LEFT JOIN conversations c ON c.id = q.conversation_id
    CROSS JOIN LATERAL unnest(ARRAY[q.user_id, coalesce(c.org_id, q.org_id)]) AS o (owner)
   WHERE m.state IN ('queued', 'delivering') AND octet_length(m.content) > 4096 AND owner IS NOT NULL
   GROUP BY owner;
`;

/** `queue_message` of 20261122010100, with limits of bytes; the old one stays for replicas of the release before. */
const QUEUE_MESSAGE = `
  CREATE FUNCTION queue_message(
    new_message uuid, sender uuid, to_conversation uuid, to_early_key text, to_org uuid, blocks text,
    most bigint, claim_ms double precision,
    early_bytes bigint, user_bytes bigint, org_bytes bigint,
    OUT to_queue uuid, OUT refusal text, OUT place bigint, OUT needs_run boolean,
    OUT new_fence bigint, OUT orphaned_ms double precision, OUT exceeded text
  ) LANGUAGE plpgsql AS $$
  DECLARE
    q message_queues;
    counted bigint;
    waiting bigint;
  BEGIN
    FOR attempt IN 1..2 LOOP
      IF to_conversation IS NOT NULL THEN
        SELECT * INTO q FROM message_queues
         WHERE conversation_id = to_conversation FOR NO KEY UPDATE;
      ELSE
        SELECT * INTO q FROM message_queues
         WHERE user_id = sender AND early_key = to_early_key AND org_id = to_org FOR NO KEY UPDATE;
      END IF;
      EXIT WHEN FOUND OR attempt = 2;
      INSERT INTO message_queues (id, user_id, conversation_id, early_key, org_id)
      VALUES (gen_random_uuid(), sender, to_conversation, to_early_key, to_org) ON CONFLICT DO NOTHING;
    END LOOP;
    IF q.id IS NULL THEN RETURN; END IF;
    to_queue := q.id;
    IF q.early_key IS NULL AND q.closed_reason IS NOT NULL THEN
      refusal := q.closed_reason;
      RETURN;
    END IF;

    SELECT count(*) + 1, count(*) FILTER (WHERE NOT is_initial), coalesce(sum(octet_length(content)), 0)
      INTO place, counted, waiting
      FROM pending_messages WHERE queue_id = q.id AND state IN ('queued', 'delivering');
    IF counted >= most THEN
      place := NULL;
      RETURN;
    END IF;

    exceeded := CASE
      WHEN q.early_key IS NOT NULL AND waiting + octet_length(blocks) > early_bytes THEN 'queue'
      WHEN octet_length(blocks) > 4096
        THEN message_bytes_exceeded(
          q.user_id, coalesce((SELECT org_id FROM conversations WHERE id = q.conversation_id), q.org_id),
          octet_length(blocks), user_bytes, org_bytes)
    END;
    IF exceeded IS NOT NULL THEN
      place := NULL;
      RETURN;
    END IF;

    needs_run := NOT coalesce(q.claimed_until > clock_timestamp() OR q.next_attempt_at > clock_timestamp(), false);
    IF needs_run AND claim_ms IS NOT NULL THEN
      new_fence := nextval('job_fences');
      orphaned_ms := extract(epoch FROM clock_timestamp() - q.claimed_until) * 1000;
    END IF;
    UPDATE message_queues
       SET last_rank = q.last_rank + 1,
           closed_reason = NULL,
           created_at = CASE WHEN q.closed_reason IS NULL THEN q.created_at ELSE now() END,
           fence = coalesce(new_fence, q.fence),
           claimed_until = CASE WHEN new_fence IS NULL THEN q.claimed_until
                                ELSE clock_timestamp() + claim_ms * interval '1 millisecond' END,
           woken = q.woken AND new_fence IS NULL
     WHERE id = q.id;
    INSERT INTO pending_messages (id, queue_id, rank, role, content, run)
    VALUES (new_message, q.id, q.last_rank + 1, 'user', blocks, true);
  END $$;`;

/**
 * Counts the bytes of undelivered messages, exactly whoever queues at once. Messages that were cancelled lose their
 * content, which nobody reads again.
 */
export class MessageBytes20261122021000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('LOCK TABLE message_queues, pending_messages IN SHARE ROW EXCLUSIVE MODE');
    await runner.query(COUNTERS);
    await runner.query(QUEUE_MESSAGE);
    await runner.query(`UPDATE pending_messages SET content = '[]' WHERE state = 'cancelled'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER pending_messages_counted_in ON pending_messages;
      DROP TRIGGER pending_messages_counted_anew ON pending_messages;
      DROP TRIGGER message_queues_counted_out ON message_queues;
      DROP TRIGGER message_queues_counted_attached ON message_queues;
      DROP FUNCTION queue_message(
        uuid, uuid, uuid, text, uuid, text, bigint, double precision, bigint, bigint, bigint);
      DROP FUNCTION pending_messages_counted, message_queues_counted, queue_bytes_add, message_bytes_exceeded,
                    message_bytes_add;
      DROP TABLE message_bytes`);
  }
}
