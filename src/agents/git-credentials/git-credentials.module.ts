import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PersonalDataModule } from '../../accounts/personal-data';
import { GitCredentialRow } from './git-credential.entity';
import { GitCredentialsRepository } from './git-credentials.repository';
import { GitCredentialsService } from './git-credentials.service';
import {
  OrgGitCredentialsController,
  UserGitCredentialsController,
} from './operations/git-credentials.controller';
import { PersonalGitCredentials } from './personal-git-credentials';
import { ProviderCredentials } from './provider-credentials';

/** Credentials for fetching git repositories. */
@Module({
  imports: [PersonalDataModule, TypeOrmModule.forFeature([GitCredentialRow])],
  controllers: [UserGitCredentialsController, OrgGitCredentialsController],
  providers: [GitCredentialsRepository, GitCredentialsService, PersonalGitCredentials, ProviderCredentials],
  exports: [GitCredentialsRepository, GitCredentialsService, ProviderCredentials],
})
export class GitCredentialsModule {}
