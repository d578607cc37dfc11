import { type Settings } from '../../config';
import { type ScopedRegistration } from './registrations';
import { StoredSettings } from './stored-settings';
/**
 * What the start of a conversation takes over from the settings around it
 * (docs/contract.md#composition-of-marketplaces).
 */
export interface ConversationDefaults {
    /** By name; the scope is to be stripped before an agent server sees them. */
    readonly marketplaces: ScopedRegistration[];
    readonly maxBudgetPerTask: number | null;
}
/** Puts together the registrations of instance, organization and person for a conversation. */
export declare class ComposedMarketplaces {
    private readonly stored;
    private readonly settings;
    constructor(stored: StoredSettings, settings: Settings);
    /** What a conversation of this user in this organization starts with. */
    forConversation(orgId: string, userId: string): Promise<ConversationDefaults>;
}
