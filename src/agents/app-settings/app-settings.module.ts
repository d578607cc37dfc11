import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgsModule } from '../../accounts/orgs';
import { PersonalDataModule } from '../../accounts/personal-data';
import { SkillsModule } from '../skills';
import { AvailableSkillsController } from './available-skills/available-skills.controller';
import { AvailableSkillsService } from './available-skills/available-skills.service';
import { OrgAppSettingsRow, UserAppSettingsRow, UserOrgAppSettingsRow } from './settings/app-settings.entity';
import { AppSettingsController } from './settings/app-settings.controller';
import { AppSettingsService } from './settings/app-settings.service';
import { PersonalAppSettings } from './settings/personal-app-settings';
import { ComposedMarketplaces, StoredSettings } from './settings/stored-settings';

/** What conversations of organizations and people start with: budgets and marketplaces, and the skills that these offer. */
@Module({
  imports: [
    OrgsModule,
    PersonalDataModule,
    SkillsModule,
    TypeOrmModule.forFeature([OrgAppSettingsRow, UserAppSettingsRow, UserOrgAppSettingsRow]),
  ],
  controllers: [AppSettingsController, AvailableSkillsController],
  providers: [
    AppSettingsService,
    AvailableSkillsService,
    ComposedMarketplaces,
    PersonalAppSettings,
    StoredSettings,
  ],
  exports: [ComposedMarketplaces],
})
export class AppSettingsModule {}
