import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../mail';
import { OrgsModule } from '../orgs';
import { PersonalDataModule } from '../personal-data';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { BootstrapService } from './bootstrap.service';
import { BrowserSession } from './browser-sessions/browser-session.entity';
import { BrowserSessionVerifier } from './browser-sessions/browser-session-verifier';
import { BrowserSessionsController } from './browser-sessions/browser-sessions.controller';
import { BrowserSessions } from './browser-sessions/browser-sessions.service';
import { ApiKey } from './keys/api-key.entity';
import { ExternalKeys, NamedMemberships } from './keys/external-keys';
import { StandInKeys } from './keys/stand-in-keys';
import { FormerMembersKeys } from './keys/former-members-keys';
import { KeyIssuer } from './keys/key-issuer';
import { NewMembersKeys } from './keys/new-members-keys';
import { PersonalKeys } from './personal/personal-keys';
import { KeyPolicies } from './keys/key-policies';
import { KeyUsage, KeyVerifier } from './keys/key-verifier';
import { EndedKey } from './known-keys/ended-key.entity';
import { KnownKeys } from './known-keys/known-keys';
import { OrgSessionsController } from './browser-sessions/org-sessions.controller';
import { OrgSessions } from './browser-sessions/org-sessions.service';
import { KeyReportsController } from './report/key-reports.controller';
import { KeyReports } from './report/key-reports';
import { ReportedKeyMails } from './report/reported-key-mails';
import { KeyRotation } from './rotation/key-rotation';
import { RotatedKeysCleanUp } from './rotation/rotated-keys-clean-up';
import { ServiceKeysController } from './service-keys/service-keys.controller';
import { ServiceKeys } from './service-keys/service-keys.service';

const KEYS = [
  ApiKeysService,
  BootstrapService,
  ExternalKeys,
  NamedMemberships,
  FormerMembersKeys,
  KeyIssuer,
  KeyPolicies,
  KeyUsage,
  KeyVerifier,
  KnownKeys,
  NewMembersKeys,
  PersonalKeys,
  StandInKeys,
];

/** Keys of users, their sessions of browsers, and the policy of an extension for keys. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ApiKey, BrowserSession, EndedKey]),
    MailModule,
    OrgsModule,
    PersonalDataModule,
  ],
  controllers: [
    ApiKeysController,
    BrowserSessionsController,
    KeyReportsController,
    OrgSessionsController,
    ServiceKeysController,
  ],
  providers: [
    ...KEYS,
    BrowserSessions,
    BrowserSessionVerifier,
    KeyReports,
    KeyRotation,
    OrgSessions,
    ReportedKeyMails,
    RotatedKeysCleanUp,
    ServiceKeys,
  ],
  exports: [
    ApiKeysService,
    BootstrapService,
    BrowserSessions,
    BrowserSessionVerifier,
    ExternalKeys,
    KeyIssuer,
    KeyPolicies,
    KeyVerifier,
    KnownKeys,
    NewMembersKeys,
    ServiceKeys,
    StandInKeys,
  ],
})
export class ApiKeysModule {}
