import { MarketplaceRegistration } from '../../skills';
/** `org_id` of the query of `/api/organizations/app` (docs/contract.md#app-settings). */
export declare class OrgAppQuery {
    org_id: string | null;
}
/** App settings of an organization (docs/contract.md#app-settings). */
export declare class OrgAppSettings {
    enable_proactive_conversation_starters: boolean;
    max_budget_per_task: number | null;
    registered_marketplaces: MarketplaceRegistration[];
    updated_at: string | null;
}
/**
 * What of the app settings is to be written; what is absent stays as it is (docs/contract.md#app-settings).
 */
export declare class OrgAppSettingsUpdate {
    enable_proactive_conversation_starters?: boolean | null;
    max_budget_per_task?: number | null;
    registered_marketplaces?: MarketplaceRegistration[] | null;
    last_known_updated_at?: Date | null;
}
/** App settings of a user (docs/contract.md#app-settings). */
export declare class UserAppSettings {
    registered_marketplaces: MarketplaceRegistration[];
    updated_at: string | null;
}
/** What of a user's app settings is to be written. */
export declare class UserAppSettingsUpdate {
    registered_marketplaces?: MarketplaceRegistration[] | null;
    last_known_updated_at?: Date | null;
}
