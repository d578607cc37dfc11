import { Column, type Repository } from 'typeorm';
import { type Owner, storableText } from '../../../kernel/common';
import { MaxCharacters, ownedBy } from '../../../kernel/database';
import { OwnedRecord, OwnedRecords } from '../../../accounts/owned-records';
import { MAX_PROFILE_NAME } from './text-limits';

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
