/** Where a registration comes from (docs/contract.md#marketplace-registrations). */
export declare const REGISTRATION_SCOPES: readonly ["instance", "org", "personal"];
export type RegistrationScope = (typeof REGISTRATION_SCOPES)[number];
/** A registration of a plugin marketplace (docs/contract.md#marketplace-registrations). */
export declare class MarketplaceRegistration {
    name: string;
    source: string;
    ref: string | null;
    repo_path: string | null;
    auto_load: boolean;
    scope: RegistrationScope | null;
}
