import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Endpoints that are called back, and the deliveries to them. */
export class Webhooks20261122140000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE webhooks (
        id uuid NOT NULL PRIMARY KEY,
        org_id uuid NOT NULL CONSTRAINT webhooks_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
        url text NOT NULL CONSTRAINT url_length CHECK (char_length(url) <= 2048),
        description text NOT NULL DEFAULT '' CONSTRAINT description_length CHECK (char_length(description) <= 500),
        kinds text[] NOT NULL CONSTRAINT kinds_length CHECK (cardinality(kinds) BETWEEN 1 AND 100),
        conversation_ids uuid[]
          CONSTRAINT conversation_ids_length CHECK (cardinality(conversation_ids) BETWEEN 1 AND 100),
        tags jsonb CONSTRAINT tags_bytes CHECK (octet_length(tags::text) <= 131072),
        enabled boolean NOT NULL DEFAULT true,
        disabled_reason text
          CONSTRAINT disabled_reason_known CHECK (disabled_reason IN ('by_request', 'gone', 'failing', 'backlog')),
        disabled_at timestamptz(3),
        sealed_secret text NOT NULL CONSTRAINT sealed_secret_bytes CHECK (octet_length(sealed_secret) <= 1000),
        sealed_previous_secret text CONSTRAINT sealed_previous_secret_bytes CHECK (octet_length(sealed_previous_secret) <= 1000),
        previous_secret_until timestamptz(3),
        failing_since timestamptz(3),
        created_by_user_id uuid
          CONSTRAINT webhooks_created_by_user_id_fkey REFERENCES users (id) ON DELETE SET NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );
      COMMENT ON COLUMN webhooks.failing_since IS 'the first failure since the last success';
      CREATE INDEX webhooks_org_id ON webhooks (org_id);
      CREATE INDEX webhooks_created_by_user_id ON webhooks (created_by_user_id);

      CREATE SEQUENCE webhook_ranks;
      CREATE SEQUENCE webhook_fences;

      CREATE TABLE webhook_lanes (
        webhook_id uuid NOT NULL
          CONSTRAINT webhook_lanes_webhook_id_fkey REFERENCES webhooks (id) ON DELETE CASCADE,
        lane uuid NOT NULL,
        due_at timestamptz(3) NOT NULL,
        fence bigint NOT NULL DEFAULT 0,
        additions bigint NOT NULL DEFAULT 0,
        CONSTRAINT webhook_lanes_pkey PRIMARY KEY (webhook_id, lane)
      );
      COMMENT ON COLUMN webhook_lanes.due_at IS 'when it may be taken: a leased one when the lease ends';
      COMMENT ON COLUMN webhook_lanes.additions IS 'how often deliveries were added: one who found it empty sees by it that more came';
      CREATE INDEX webhook_lanes_due ON webhook_lanes (webhook_id, due_at);

      CREATE TABLE webhook_deliveries (
        id uuid NOT NULL PRIMARY KEY,
        webhook_id uuid NOT NULL
          CONSTRAINT webhook_deliveries_webhook_id_fkey REFERENCES webhooks (id) ON DELETE CASCADE,
        lane uuid NOT NULL,
        rank bigint NOT NULL DEFAULT nextval('webhook_ranks'),
        type text NOT NULL CONSTRAINT type_length CHECK (char_length(type) <= 100),
        event_kind text CONSTRAINT event_kind_length CHECK (char_length(event_kind) <= 512),
        conversation_id uuid,
        data text NOT NULL CONSTRAINT data_bytes CHECK (octet_length(data) <= 20480),
        occurred_at timestamptz(3) NOT NULL,
        state text NOT NULL DEFAULT 'pending'
          CONSTRAINT state_known CHECK (state IN ('pending', 'delivered', 'failed')),
        attempts integer NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        last_error text CONSTRAINT last_error_length CHECK (char_length(last_error) <= 1000),
        expires_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        completed_at timestamptz(3)
      );
      COMMENT ON COLUMN webhook_deliveries.failures IS 'in a row, since it was made or replayed: for the back-off';
      CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook_id, created_at DESC, id DESC);
      CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, lane, rank) WHERE state = 'pending';
      CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, created_at, rank) WHERE state = 'failed';
      CREATE INDEX webhook_deliveries_completed ON webhook_deliveries (completed_at) WHERE completed_at IS NOT NULL;

      CREATE TABLE webhook_attempts (
        delivery_id uuid NOT NULL CONSTRAINT webhook_attempts_delivery_id_fkey
          REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
        number integer NOT NULL,
        at timestamptz(3) NOT NULL,
        duration_ms integer NOT NULL,
        status integer,
        error text CONSTRAINT error_length CHECK (char_length(error) <= 1000),
        answer text CONSTRAINT answer_bytes CHECK (octet_length(answer) <= 3072),
        CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_attempts, webhook_deliveries, webhook_lanes, webhooks');
    await runner.query('DROP SEQUENCE webhook_ranks, webhook_fences');
  }
}
