import { Module } from '@nestjs/common';
import { OrgsModule } from '../orgs';
import { BootstrapService } from './bootstrap.service';
import { KeyIssuer } from './key-issuer';
import { KeyUsage } from './key-usage';
import { KeyVerifier } from './key-verifier';

@Module({
  imports: [OrgsModule],
  providers: [BootstrapService, KeyIssuer, KeyUsage, KeyVerifier],
  exports: [BootstrapService, KeyIssuer, KeyVerifier],
})
export class ApiKeysModule {}
