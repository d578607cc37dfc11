import type { MarketplaceRegistration, RegistrationScope } from '../../skills';
import type { StoredRegistration } from '../record/app-settings.entity';
/** A registration with its scope, which follows from where it is stored. */
export interface ScopedRegistration extends StoredRegistration {
    readonly scope: RegistrationScope;
}
/** Registrations as answered: each with the scope of its place. */
export declare function withScope(registrations: readonly StoredRegistration[], scope: RegistrationScope): ScopedRegistration[];
/**
 * Registrations as stored: without the scope a request may carry (docs/contract.md#app-settings).
 * @throws DuplicateMarketplacesError
 */
export declare function toStore(registrations: readonly MarketplaceRegistration[]): StoredRegistration[];
/**
 * What a conversation gets: instance < organization < personal by name
 * (docs/contract.md#composition-of-marketplaces). An organization may override an instance entry; a personal
 * entry of an inherited name is left out.
 */
export declare function compose(instance: readonly StoredRegistration[], org: readonly StoredRegistration[], personal: readonly StoredRegistration[]): ScopedRegistration[];
