import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** The functions of 20261122021000: how bytes are added to a counter, and how counters are held. */
const functions = (add: string, hold: string): string => `
  CREATE OR REPLACE FUNCTION message_bytes_add(owner uuid, added bigint) RETURNS void ${add};

  CREATE OR REPLACE FUNCTION message_bytes_exceeded(
    sender uuid, org uuid, added bigint, user_bytes bigint, org_bytes bigint
  ) RETURNS text LANGUAGE plpgsql AS $$
  BEGIN
    ${hold}
    RETURN CASE
      WHEN EXISTS (SELECT 1 FROM message_bytes WHERE owner_id = sender AND bytes + added > user_bytes) THEN 'user'
      WHEN EXISTS (SELECT 1 FROM message_bytes WHERE owner_id = org AND bytes + added > org_bytes) THEN 'organization'
    END;
  END $$;`;

const MADE = `INSERT INTO message_bytes AS b (owner_id, bytes) SELECT owner, added WHERE owner IS NOT NULL
    ON CONFLICT (owner_id) DO UPDATE SET bytes = b.bytes + added`;

/** Locks without writing a counter that is there, as all but the first message of an owner find it. */
const HELD = `
    PERFORM 1 FROM message_bytes WHERE owner_id = org FOR NO KEY UPDATE;
    IF NOT FOUND THEN PERFORM message_bytes_add(org, 0); END IF;
    PERFORM 1 FROM message_bytes WHERE owner_id = sender FOR NO KEY UPDATE;
    IF NOT FOUND THEN PERFORM message_bytes_add(sender, 0); END IF;`;

/** `queue_message` of 20261122021000, with how it finds out which limit is exceeded. */
const queueMessage = (exceeded: string): string => `
  CREATE OR REPLACE FUNCTION queue_message(
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

${exceeded}    IF exceeded IS NOT NULL THEN
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

const IN_ONE_EXPRESSION = `    exceeded := CASE
      WHEN q.early_key IS NOT NULL AND waiting + octet_length(blocks) > early_bytes THEN 'queue'
      WHEN octet_length(blocks) > 4096
        THEN message_bytes_exceeded(
          q.user_id, coalesce((SELECT org_id FROM conversations WHERE id = q.conversation_id), q.org_id),
          octet_length(blocks), user_bytes, org_bytes)
    END;
`;

/** Without a query for small messages: an expression with one in it is run as one. */
const ONLY_IF_LARGE = `    IF q.early_key IS NOT NULL AND waiting + octet_length(blocks) > early_bytes THEN
      exceeded := 'queue';
    ELSIF octet_length(blocks) > 4096 THEN
      exceeded := message_bytes_exceeded(
        q.user_id, coalesce((SELECT org_id FROM conversations WHERE id = q.conversation_id), q.org_id),
        octet_length(blocks), user_bytes, org_bytes);
    END IF;
`;

/**
 * The same counters of undelivered bytes with half the writes: a large message wrote each of two rows twice. Only
 * functions change, so that earlier builds count the same way.
 */
export class CheaperMessageCounters20261122034000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    const add = `LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE message_bytes SET bytes = bytes + added WHERE owner_id = owner;
        IF NOT FOUND THEN
          ${MADE};
        END IF;
      END $$`;
    await runner.query(functions(add, HELD));
    await runner.query(queueMessage(ONLY_IF_LARGE));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(queueMessage(IN_ONE_EXPRESSION));
    await runner.query(
      functions(
        `LANGUAGE sql AS $$ ${MADE} $$`,
        'PERFORM message_bytes_add(org, 0), message_bytes_add(sender, 0);',
      ),
    );
  }
}
