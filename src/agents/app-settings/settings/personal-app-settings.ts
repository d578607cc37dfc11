import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  type Counts,
  type ErasureRun,
  type ExportedRecords,
  fewLines,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from '../../../accounts/personal-data';
import { UserAppSettingsRow, UserOrgAppSettingsRow } from './app-settings.entity';

/** The marketplaces that a person has registered, everywhere and in single organizations. */
@Injectable()
export class PersonalAppSettings implements PersonalPart {
  readonly name = 'app_settings';

  constructor(
    @InjectRepository(UserAppSettingsRow) private readonly everywhere: Repository<UserAppSettingsRow>,
    @InjectRepository(UserOrgAppSettingsRow) private readonly inOrgs: Repository<UserOrgAppSettingsRow>,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  exports(scope: PersonalScope): readonly ExportedRecords[] {
    const read = async () => [
      ...(scope.ofAccount ? await this.everywhere.findBy({ userId: scope.userId }) : []),
      ...(await this.inOrgs.findBy(inOrgsOf(scope))),
    ];
    const shown = (row: UserAppSettingsRow | UserOrgAppSettingsRow) => ({
      org_id: 'orgId' in row ? row.orgId : null,
      registered_marketplaces: row.registeredMarketplaces,
    });
    return [{ name: this.name, lines: () => fewLines(read, shown) }];
  }

  async count(scope: PersonalScope): Promise<Counts> {
    const { userId, ofAccount } = scope;
    const all = ofAccount ? await this.everywhere.countBy({ userId }) : 0;
    return { app_settings: all + (await this.inOrgs.countBy(inOrgsOf(scope))) };
  }

  async erase(scope: PersonalScope, run: ErasureRun): Promise<void> {
    if (scope.ofAccount) await this.everywhere.delete({ userId: scope.userId });
    await this.inOrgs.delete(inOrgsOf(scope));
    await run.done(this.name);
  }
}

function inOrgsOf({ userId, orgId }: PersonalScope): { userId: string; orgId?: string } {
  return { userId, ...(orgId !== null && { orgId }) };
}
