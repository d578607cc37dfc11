import type { SealedColumn } from '../../database';
/** The column that stores the secrets that sign. */
export declare const SEALED_WEBHOOK_SECRETS: SealedColumn;
/** The column that stores the secrets before a rotation: as they were, so they are bound alike. */
export declare const SEALED_PREVIOUS_WEBHOOK_SECRETS: SealedColumn;
