import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Person } from '../../../kernel/common';
import { OrgAppSettingsRow, UserAppSettingsRow, UserOrgAppSettingsRow } from '../record/app-settings.entity';

/** Settings as read: no time of a save when there was none yet. */
export type StoredOrgSettings = Omit<OrgAppSettingsRow, 'updatedAt'> & { readonly updatedAt: Date | null };
export type StoredUserSettings = Omit<UserAppSettingsRow, 'updatedAt'> & { readonly updatedAt: Date | null };

/** Reads the settings of organizations and of people; the defaults until they are first saved. */
@Injectable()
export class StoredSettings {
  constructor(
    @InjectRepository(OrgAppSettingsRow) private readonly orgs: Repository<OrgAppSettingsRow>,
    @InjectRepository(UserAppSettingsRow) private readonly users: Repository<UserAppSettingsRow>,
    @InjectRepository(UserOrgAppSettingsRow)
    private readonly usersInOrgs: Repository<UserOrgAppSettingsRow>,
  ) {}

  /** @param transaction to read in; a read of its own without one */
  async ofOrg(orgId: string, transaction?: EntityManager): Promise<StoredOrgSettings> {
    const repository = transaction?.withRepository(this.orgs) ?? this.orgs;
    return (
      (await repository.findOneBy({ orgId })) ?? {
        orgId,
        enableProactiveConversationStarters: true,
        maxBudgetPerTask: null,
        registeredMarketplaces: [],
        updatedAt: null,
      }
    );
  }

  /**
   * Those that hold for a person in an organization: saved for it, or else everywhere, where those are not out of reach. With no
   * organization the latter.
   * @param transaction to read in; a read of its own without one
   */
  async ofUser(
    { userId, orgId, byLink }: Omit<Person, 'orgId'> & { readonly orgId: string | null },
    transaction?: EntityManager,
  ): Promise<StoredUserSettings> {
    if (orgId !== null) {
      const inOrg = await (transaction?.withRepository(this.usersInOrgs) ?? this.usersInOrgs).findOneBy({
        userId,
        orgId,
      });
      if (inOrg !== null) return inOrg;
    }
    const repository = transaction?.withRepository(this.users) ?? this.users;
    const everywhere = byLink ? null : await repository.findOneBy({ userId });
    return everywhere ?? { userId, registeredMarketplaces: [], updatedAt: null };
  }
}
