import { PreparedStatement } from '../../database';
import type { EventFilter } from './filters';
export interface EnabledWebhook extends EventFilter {
    readonly id: string;
    readonly org_id: string;
}
/** The enabled endpoints of organizations ($1), which are not deleted before the transaction ends. */
export declare const ENABLED_WEBHOOKS: PreparedStatement<EnabledWebhook>;
/** Whether any endpoint is enabled. */
export declare const ANY_ENABLED: PreparedStatement<{
    readonly found: boolean;
}>;
