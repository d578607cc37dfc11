import type { DataSource, EntityManager } from 'typeorm';
import { type Owner } from '../../common';
import type { DomainEvents } from '../../domain-events';
import { type ProfileScope } from './profile-scope';
import type { ProfileChanged } from './profile.dto';
/** A stored profile of either kind. */
export interface Profile {
    readonly id: string;
    readonly userId: string | null;
    readonly orgId: string | null;
    readonly name: string;
    readonly isActive: boolean;
}
/** Selects profiles by name or id, or only the active ones. */
export interface ProfileFilter {
    readonly name?: string;
    readonly id?: string;
    readonly isActive?: true;
}
/** The stored profiles of one kind. */
export interface ProfileStore<Kind extends Profile> {
    /** Serializes changes to an owner's profiles. */
    lock(transaction: EntityManager, owner: Owner): Promise<void>;
    of(owners: readonly Owner[], filter?: ProfileFilter, transaction?: EntityManager): Promise<Kind[]>;
    count(transaction: EntityManager, owner: Owner): Promise<number>;
    /** Inserts a profile, or updates the one with its id. */
    save(transaction: EntityManager, profile: Kind): Promise<void>;
    /** Makes a profile its owner's active one. */
    activate(transaction: EntityManager, owner: Owner, id: string): Promise<void>;
    delete(transaction: EntityManager, id: string): Promise<void>;
}
/** What users and organizations do with profiles of either kind (docs/contract.md#profiles). */
export declare abstract class ProfilesService<Kind extends Profile> {
    private readonly database;
    private readonly profiles;
    private readonly events;
    private readonly field;
    /** @param field how `settings.updated` names this kind */
    protected constructor(database: DataSource, profiles: ProfileStore<Kind>, events: DomainEvents, field: string);
    /** The profile under another name. */
    protected abstract renamed(profile: Kind, name: string): Kind;
    /** @throws ProfileNotFoundError, ProfileOfAllOrganizationsError, ProfileExistsError */
    rename(scope: ProfileScope, name: string, newName: string): Promise<ProfileChanged>;
    /** @throws ProfileNotFoundError, ProfileOfAllOrganizationsError */
    delete(scope: ProfileScope, name: string): Promise<ProfileChanged>;
    /** The visible profiles by name, and the active one that applies. */
    protected visible({ seen }: ProfileScope): Promise<{
        profiles: Kind[];
        active: Kind | undefined;
    }>;
    /** @throws ProfileNotFoundError */
    protected find({ seen }: ProfileScope, name: string): Promise<Kind>;
    /**
     * Creates or updates a profile of the owner.
     * @param make the profile to store, given the present one
     * @throws TooManyProfilesError
     */
    protected put(scope: ProfileScope, name: string, make: (before: Kind | undefined) => Kind): Promise<ProfileChanged>;
    /** @returns its name. @throws ProfileNotFoundError, ProfileOfAllOrganizationsError */
    protected makeActive(scope: ProfileScope, filter: ProfileFilter): Promise<string>;
    private change;
}
