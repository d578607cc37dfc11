import type { SealedColumn } from '../../../kernel/database';
import { contextOf } from './webhook-secrets';

/** The column that stores the secrets that sign. */
export const SEALED_WEBHOOK_SECRETS: SealedColumn = { table: 'webhooks', column: 'sealed_secret', contextOf };

/** The column that stores the secrets before a rotation: as they were, so they are bound alike. */
export const SEALED_PREVIOUS_WEBHOOK_SECRETS: SealedColumn = {
  table: 'webhooks',
  column: 'sealed_previous_secret',
  contextOf,
};
