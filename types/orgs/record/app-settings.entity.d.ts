/**
 * A marketplace registration as stored: its scope follows from the table it is in
 * (docs/contract.md#marketplace-registrations).
 */
export interface StoredRegistration {
    name: string;
    source: string;
    ref: string | null;
    repo_path: string | null;
    auto_load: boolean;
}
export declare class OrgAppSettingsRow {
    orgId: string;
    enableProactiveConversationStarters: boolean;
    maxBudgetPerTask: number | null;
    registeredMarketplaces: StoredRegistration[];
    updatedAt: Date;
}
/** What a user has saved with a key bound to an organization; applies there instead of {@link UserAppSettingsRow}. */
export declare class UserOrgAppSettingsRow {
    userId: string;
    orgId: string;
    registeredMarketplaces: StoredRegistration[];
    updatedAt: Date;
}
export declare class UserAppSettingsRow {
    userId: string;
    registeredMarketplaces: StoredRegistration[];
    updatedAt: Date;
}
