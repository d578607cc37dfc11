import { PreparedStatement } from '../../../kernel/database';
import type { EventFilter } from './filters';

/* By hand because the rows are locked as they are read, batch by batch. */

export interface EnabledWebhook extends EventFilter {
  readonly id: string;
  readonly org_id: string;
}

/** The enabled endpoints of organizations ($1), which are not deleted before the transaction ends. */
export const ENABLED_WEBHOOKS = new PreparedStatement<EnabledWebhook>(
  'webhooks-enabled',
  `SELECT id, org_id, kinds, conversation_ids, tags FROM webhooks
    WHERE org_id = ANY ($1) AND enabled ORDER BY id FOR KEY SHARE`,
);

/** Whether any endpoint is enabled. */
export const ANY_ENABLED = new PreparedStatement<{ readonly found: boolean }>(
  'webhooks-any-enabled',
  'SELECT EXISTS (SELECT 1 FROM webhooks WHERE enabled) AS found',
);
