import type { DataSource, EntityManager } from 'typeorm';
import { nearestFirst, type Owner } from '../../../kernel/common';
import type { DomainEvents } from '../../../kernel/domain-events';
import { ProfileExistsError, ProfileNotFoundError, TooManyProfilesError } from './profile-errors';
import { MAX_PROFILES } from './profile-fields';
import { changeable, nearestByName, type ProfileScope } from './profile-scope';
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
export abstract class ProfilesService<Kind extends Profile> {
  /** @param field how `settings.updated` names this kind */
  protected constructor(
    private readonly database: DataSource,
    private readonly profiles: ProfileStore<Kind>,
    private readonly events: DomainEvents,
    private readonly field: string,
  ) {}

  /** The profile under another name. */
  protected abstract renamed(profile: Kind, name: string): Kind;

  /** @throws ProfileNotFoundError, ProfileOfAllOrganizationsError, ProfileExistsError */
  async rename(scope: ProfileScope, name: string, newName: string): Promise<ProfileChanged> {
    await this.change(scope, async (transaction) => {
      const profile = changeable(scope, await this.profiles.of(scope.seen, { name }, transaction));
      const taken = await this.profiles.of([scope.owner], { name: newName }, transaction);
      if (taken.some(({ id }) => id !== profile.id)) throw new ProfileExistsError();
      await this.profiles.save(transaction, this.renamed(profile, newName));
    });
    return { name: newName, message: 'The profile was renamed.' };
  }

  /** @throws ProfileNotFoundError, ProfileOfAllOrganizationsError */
  async delete(scope: ProfileScope, name: string): Promise<ProfileChanged> {
    await this.change(scope, async (transaction) => {
      const { id } = changeable(scope, await this.profiles.of(scope.seen, { name }, transaction));
      await this.profiles.delete(transaction, id);
    });
    return { name, message: 'The profile was deleted.' };
  }

  /** The visible profiles by name, and the active one that applies. */
  protected async visible({ seen }: ProfileScope): Promise<{ profiles: Kind[]; active: Kind | undefined }> {
    const all = await this.profiles.of(seen);
    const [active] = all.filter(({ isActive }) => isActive).sort(nearestFirst);
    return { profiles: nearestByName(all), active };
  }

  /** @throws ProfileNotFoundError */
  protected async find({ seen }: ProfileScope, name: string): Promise<Kind> {
    const [profile] = nearestByName(await this.profiles.of(seen, { name }));
    if (profile === undefined) throw new ProfileNotFoundError();
    return profile;
  }

  /**
   * Creates or updates a profile of the owner.
   * @param make the profile to store, given the present one
   * @throws TooManyProfilesError
   */
  protected async put(
    scope: ProfileScope,
    name: string,
    make: (before: Kind | undefined) => Kind,
  ): Promise<ProfileChanged> {
    await this.change(scope, async (transaction) => {
      const [before] = await this.profiles.of([scope.owner], { name }, transaction);
      if (before === undefined && (await this.profiles.count(transaction, scope.owner)) >= MAX_PROFILES)
        throw new TooManyProfilesError(MAX_PROFILES);
      await this.profiles.save(transaction, make(before));
    });
    return { name, message: 'The profile was saved.' };
  }

  /** @returns its name. @throws ProfileNotFoundError, ProfileOfAllOrganizationsError */
  protected makeActive(scope: ProfileScope, filter: ProfileFilter): Promise<string> {
    return this.change(scope, async (transaction) => {
      const { id, name } = changeable(scope, await this.profiles.of(scope.seen, filter, transaction));
      await this.profiles.activate(transaction, scope.owner, id);
      return name;
    });
  }

  private change<T>({ owner }: ProfileScope, work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.database.transaction(async (transaction) => {
      await this.profiles.lock(transaction, owner);
      const result = await work(transaction);
      await this.events.publish(transaction, {
        kind: 'settings.updated',
        org_id: owner.orgId,
        user_id: owner.userId,
        fields: [this.field],
      });
      return result;
    });
  }
}
