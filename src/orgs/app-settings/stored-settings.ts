import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { OrgAppSettingsRow, UserAppSettingsRow } from '../record/app-settings.entity';

/** Settings as read: no time of a save when there was none yet. */
export type StoredOrgSettings = Omit<OrgAppSettingsRow, 'updatedAt'> & { readonly updatedAt: Date | null };
export type StoredUserSettings = Omit<UserAppSettingsRow, 'updatedAt'> & { readonly updatedAt: Date | null };

/** Reads the settings of organizations and of people; the defaults until they are first saved. */
@Injectable()
export class StoredSettings {
  constructor(
    @InjectRepository(OrgAppSettingsRow) private readonly orgs: Repository<OrgAppSettingsRow>,
    @InjectRepository(UserAppSettingsRow) private readonly users: Repository<UserAppSettingsRow>,
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

  /** @param transaction to read in; a read of its own without one */
  async ofUser(userId: string, transaction?: EntityManager): Promise<StoredUserSettings> {
    const repository = transaction?.withRepository(this.users) ?? this.users;
    return (
      (await repository.findOneBy({ userId })) ?? { userId, registeredMarketplaces: [], updatedAt: null }
    );
  }
}
