import { nearestByName, nearestFirst, type Owner, storableText } from '../../../kernel/common';
import { ProfileExistsError, ProfileNotFoundError, TooManyProfilesError } from './profile-errors';
import { changeable, type ProfileScope } from './profile-scope';
import type { ProfileChanged } from './profile.dto';
import { MAX_PROFILES, MAX_PROFILE_NAME } from './text-limits';
import { Column, type Repository } from 'typeorm';
import { MaxCharacters, ownedBy } from '../../../kernel/database';
import { OwnedRecord, OwnedRecords } from '../../../accounts/owned-records';

/** A stored profile of either kind. */
export abstract class ProfileRow extends OwnedRecord {
  @Column('text')
  @MaxCharacters(MAX_PROFILE_NAME)
  name!: string;

  /** Conversations of its owner start with it. */
  @Column('boolean', { default: false })
  isActive!: boolean;
}

/** Selects profiles by name or id, or only the active ones. */
interface ProfileFilter {
  readonly name?: string;
  readonly id?: string;
  readonly isActive?: true;
}

/** The stored profiles of one kind; `Profile` is one with its secrets decrypted. */
export abstract class ProfilesRepository<
  Row extends ProfileRow,
  Profile extends ProfileRow = Row,
> extends OwnedRecords<Row> {
  protected abstract opened(row: Row): Profile;
  protected abstract sealed(profile: Profile): Row;

  async of(
    owners: readonly Owner[],
    { name, ...others }: ProfileFilter = {},
    rows: Repository<Row> = this.stored,
  ): Promise<Profile[]> {
    const where = { ...others, ...(name !== undefined && { name: storableText(name) }) };
    const found = await rows
      .createQueryBuilder()
      .where(owners.map((owner) => ({ ...ownedBy(owner), ...where })))
      .getMany();
    return found.map((row) => this.opened(row));
  }

  count(rows: Repository<ProfileRow>, owner: Owner): Promise<number> {
    return rows.countBy(ownedBy(owner));
  }

  /** Inserts a profile, or updates the one with its id. */
  async save(rows: Repository<Row>, profile: Profile): Promise<void> {
    await rows.save(this.sealed(profile));
  }

  /** Makes a profile its owner's active one; null for none. */
  async activate(rows: Repository<ProfileRow>, owner: Owner, id: string | null): Promise<void> {
    await rows.update({ ...ownedBy(owner), isActive: true }, { isActive: false });
    if (id !== null) await rows.update({ id }, { isActive: true });
  }
}

/** What users and organizations do with profiles of either kind (docs/contract.md#profiles). */
export abstract class ProfilesService<Row extends ProfileRow, Profile extends ProfileRow = Row> {
  protected abstract readonly profiles: ProfilesRepository<Row, Profile>;

  /** The profile under another name. */
  protected abstract renamed(profile: Profile, name: string): Profile;

  /** @throws ProfileNotFoundError, ProfileOfAllOrganizationsError, ProfileExistsError */
  async rename({ owner, seen }: ProfileScope, name: string, newName: string): Promise<ProfileChanged> {
    await this.profiles.change(owner, async (rows) => {
      const profile = changeable(owner, await this.profiles.of(seen, { name }, rows));
      const taken = await this.profiles.of([owner], { name: newName }, rows);
      if (taken.some(({ id }) => id !== profile.id)) throw new ProfileExistsError();
      await this.profiles.save(rows, this.renamed(profile, newName));
    });
    return { name: newName, message: 'The profile was renamed.' };
  }

  /** @throws ProfileNotFoundError, ProfileOfAllOrganizationsError */
  async delete({ owner, seen }: ProfileScope, name: string): Promise<ProfileChanged> {
    await this.profiles.change(owner, async (rows) => {
      const { id } = changeable(owner, await this.profiles.of(seen, { name }, rows));
      await rows.delete(id);
    });
    return { name, message: 'The profile was deleted.' };
  }

  /** The visible profiles by name, and the active one that applies. */
  protected async visible(
    scope: ProfileScope,
  ): Promise<{ profiles: Profile[]; active: Profile | undefined }> {
    const all = await this.profiles.of(scope.seen);
    const [active] = all.filter(({ isActive }) => isActive).sort(nearestFirst);
    return { profiles: nearestByName(all), active };
  }

  /** @throws ProfileNotFoundError */
  protected async find({ seen }: ProfileScope, name: string): Promise<Profile> {
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
    { owner }: ProfileScope,
    name: string,
    make: (before: Profile | undefined) => Profile,
  ): Promise<ProfileChanged> {
    await this.profiles.change(owner, async (rows) => {
      const [before] = await this.profiles.of([owner], { name }, rows);
      if (before === undefined && (await this.profiles.count(rows, owner)) >= MAX_PROFILES)
        throw new TooManyProfilesError();
      await this.profiles.save(rows, make(before));
    });
    return { name, message: 'The profile was saved.' };
  }

  /** @returns its name. @throws ProfileNotFoundError, ProfileOfAllOrganizationsError */
  protected makeActive(
    { owner, seen }: ProfileScope,
    key: { readonly id: string } | { readonly name: string },
  ): Promise<string> {
    return this.profiles.change(owner, async (rows) => {
      const { id, name } = changeable(owner, await this.profiles.of(seen, key, rows));
      await this.profiles.activate(rows, owner, id);
      return name;
    });
  }
}
