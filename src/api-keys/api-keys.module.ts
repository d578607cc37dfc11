import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgsModule } from '../orgs';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { BootstrapService } from './bootstrap.service';
import { ApiKey } from './keys/api-key.entity';
import { FormerMembersKeys } from './keys/former-members-keys';
import { KeyIssuer } from './keys/key-issuer';
import { KeyUsage } from './keys/key-usage';
import { KeyVerifier } from './keys/key-verifier';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey]), OrgsModule],
  controllers: [ApiKeysController],
  providers: [ApiKeysService, BootstrapService, FormerMembersKeys, KeyIssuer, KeyUsage, KeyVerifier],
  exports: [BootstrapService, KeyIssuer, KeyVerifier],
})
export class ApiKeysModule {}
