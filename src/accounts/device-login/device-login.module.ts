import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys';
import type { Settings } from '../../kernel/config';
import { OrgsModule } from '../orgs';
import { PersonalDataModule } from '../personal-data';
import { DeviceApprovals } from './approval/device-approvals.service';
import { DevicePageController } from './approval/device-page.controller';
import { DeviceCodes } from './record/device-codes';
import { PersonalDeviceLogins } from './record/personal-device-logins';
import { DeviceCodeTries, DeviceLogin } from './record/device-login.entity';
import { DeviceGrants } from './requests/device-grants';
import { DeviceLoginController } from './requests/device-login.controller';
import { DeviceLogins } from './requests/device-logins.service';
import { DeviceTokens } from './requests/device-tokens.service';

/** Keys for programs that have no browser, approved in one. */
@Module({
  imports: [
    TypeOrmModule.forFeature([DeviceCodeTries, DeviceLogin]),
    ApiKeysModule,
    OrgsModule,
    PersonalDataModule,
  ],
  controllers: [DeviceLoginController],
  providers: [DeviceApprovals, DeviceCodes, DeviceGrants, DeviceLogins, DeviceTokens, PersonalDeviceLogins],
})
export class DeviceLoginModule {
  /** With its page, where the settings have the service show any. */
  static forRoot({ WEB_UI }: Settings): DynamicModule {
    return { module: DeviceLoginModule, controllers: WEB_UI === 'on' ? [DevicePageController] : [] };
  }
}
