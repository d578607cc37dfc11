import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GitCredentialRow } from './git-credential.entity';
import { GitCredentialsRepository } from './git-credentials.repository';
import { GitCredentialsService } from './git-credentials.service';
import {
  OrgGitCredentialsController,
  UserGitCredentialsController,
} from './operations/git-credentials.controller';
import { ProviderCredentials } from './provider-credentials';

/** Credentials for fetching git repositories. */
@Module({
  imports: [TypeOrmModule.forFeature([GitCredentialRow])],
  controllers: [UserGitCredentialsController, OrgGitCredentialsController],
  providers: [GitCredentialsRepository, GitCredentialsService, ProviderCredentials],
  exports: [GitCredentialsRepository, GitCredentialsService, ProviderCredentials],
})
export class GitCredentialsModule {}
