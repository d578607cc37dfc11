import { type Settings } from '../../config';
/**
 * Checks what the schema of the settings cannot know: the rules of registrations
 * (docs/contract.md#marketplace-registrations), of hosts and of credentials. Values of credentials are never
 * repeated.
 * @throws SettingsError with one line per problem
 */
export declare function checkMarketplaceSettings(settings: Settings): void;
