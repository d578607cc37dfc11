import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgsModule } from '../orgs';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { BootstrapService } from './bootstrap.service';
import { BrowserSession } from './browser-sessions/browser-session.entity';
import { BrowserSessionVerifier } from './browser-sessions/browser-session-verifier';
import { BrowserSessionsController } from './browser-sessions/browser-sessions.controller';
import { BrowserSessions } from './browser-sessions/browser-sessions.service';
import { ApiKey } from './keys/api-key.entity';
import { ExternalKeys, NamedMemberships, StandInKeys } from './keys/external-keys';
import { FormerMembersKeys } from './keys/former-members-keys';
import { KeyIssuer } from './keys/key-issuer';
import { KeyPolicies } from './keys/key-policies';
import { KeyUsage, KeyVerifier } from './keys/key-verifier';
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
  StandInKeys,
];

/** Keys of users, their sessions of browsers, and the policy of an extension for keys. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiKey, BrowserSession]), OrgsModule],
  controllers: [ApiKeysController, BrowserSessionsController, ServiceKeysController],
  providers: [...KEYS, BrowserSessions, BrowserSessionVerifier, ServiceKeys],
  exports: [
    ApiKeysService,
    BootstrapService,
    BrowserSessions,
    BrowserSessionVerifier,
    KeyIssuer,
    KeyPolicies,
    KeyVerifier,
    ServiceKeys,
    StandInKeys,
  ],
})
export class ApiKeysModule {}
