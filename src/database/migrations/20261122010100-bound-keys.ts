import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** `queue_message` of 20261121164000, with the organization of early queues beside it; older releases call that one. */
const QUEUE_MESSAGE = `
  CREATE FUNCTION queue_message(
    new_message uuid, sender uuid, to_conversation uuid, to_early_key text, to_org uuid, blocks text,
    most bigint, claim_ms double precision,
    OUT to_queue uuid, OUT refusal text, OUT place bigint, OUT needs_run boolean,
    OUT new_fence bigint, OUT orphaned_ms double precision
  ) LANGUAGE plpgsql AS $$
  DECLARE
    q message_queues;
    counted bigint;
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

    SELECT count(*) + 1, count(*) FILTER (WHERE NOT is_initial) INTO place, counted
      FROM pending_messages WHERE queue_id = q.id AND state IN ('queued', 'delivering');
    IF counted >= most THEN
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
 * What a key that is bound to an organization changes stays in it: queues of conversations to come belong to an
 * organization, settings of users may be saved for one, and keys bound to one end with the membership.
 */
export class BoundKeys20261122010100 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE message_queues ADD COLUMN org_id uuid
        CONSTRAINT message_queues_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE;
      COMMENT ON COLUMN message_queues.org_id
        IS 'the organization in which messages came before there was a conversation';
      UPDATE message_queues q SET org_id = u.current_org_id
        FROM users u WHERE u.id = q.user_id AND q.early_key IS NOT NULL;
      DROP INDEX message_queues_early_key;
      CREATE UNIQUE INDEX message_queues_user_org_early_key ON message_queues (user_id, org_id, early_key);

      CREATE TABLE user_org_app_settings (
        user_id uuid NOT NULL
          CONSTRAINT user_org_app_settings_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        org_id uuid NOT NULL
          CONSTRAINT user_org_app_settings_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
        registered_marketplaces jsonb NOT NULL DEFAULT '[]',
        updated_at timestamptz(3) NOT NULL,
        PRIMARY KEY (user_id, org_id)
      );

      DELETE FROM api_keys k
       WHERE org_id IS NOT NULL
         AND NOT EXISTS (SELECT FROM org_members m WHERE m.org_id = k.org_id AND m.user_id = k.user_id);
    `);
    await runner.query(QUEUE_MESSAGE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION queue_message(uuid, uuid, uuid, text, uuid, text, bigint, double precision);
      DROP TABLE user_org_app_settings;
      DROP INDEX message_queues_user_org_early_key;
      DELETE FROM message_queues WHERE early_key IS NOT NULL;
      CREATE UNIQUE INDEX message_queues_early_key ON message_queues (user_id, early_key);
      ALTER TABLE message_queues DROP COLUMN org_id;
    `);
  }
}
