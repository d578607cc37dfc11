import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { OwnedPart, PersonalData } from '../../accounts/personal-data';
import { GitCredentialRow } from './git-credential.entity';

/** A person's credentials for git, as far as they are exported and erased: never their passwords. */
@Injectable()
export class PersonalGitCredentials {
  constructor(
    @InjectRepository(GitCredentialRow) credentials: Repository<GitCredentialRow>,
    personal: PersonalData,
  ) {
    personal.register(
      new OwnedPart('git_credentials', credentials, ({ orgId, urlPrefix, username, gitProvider }) => ({
        org_id: orgId,
        url_prefix: urlPrefix,
        username,
        git_provider: gitProvider,
      })),
    );
  }
}
