import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/**
 * Has webhooks come back soon after an outage. Earlier builds leave the columns alone: what they pause is tried by the
 * back-off only.
 */
export class WebhookOutages20261126153100 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE webhooks ADD COLUMN probe_at timestamptz(3);
      COMMENT ON COLUMN webhooks.probe_at IS
        'while it fails: when something is tried before its time, to see whether it works again';
      ALTER TABLE webhook_lanes ADD COLUMN not_before timestamptz(3);
      COMMENT ON COLUMN webhook_lanes.not_before IS
        'until when the endpoint asked, by Retry-After, not to be sent what is at its head';
      ALTER TABLE webhook_deliveries ADD COLUMN retry_at timestamptz(3);
      COMMENT ON COLUMN webhook_deliveries.retry_at IS
        'when it is tried again by the back-off; an attempt before that, when it fails, counts for nothing';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks DROP COLUMN probe_at');
    await runner.query('ALTER TABLE webhook_lanes DROP COLUMN not_before');
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN retry_at');
  }
}
