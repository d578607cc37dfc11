import { Inject, Injectable } from '@nestjs/common';
import { ownersFor } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { GitCredentialsRepository } from '../../git-credentials';
import { credentialFor, type GitCredential } from './git/git-credentials';

/** Whose credentials may be used: the organization's, and a user's before them. */
export interface CredentialUser {
  readonly orgId: string;
  readonly userId: string | null;
}

/** Finds the credential for a repository among those that people keep, and behind them `GIT_CREDENTIALS`. */
@Injectable()
export class KeptCredentials {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly kept: GitCredentialsRepository,
  ) {}

  /** @returns null where nobody has one for this address */
  async forUrl(url: string, { orgId, userId }: CredentialUser): Promise<GitCredential | null> {
    const owners = userId === null ? [{ userId: null, orgId }] : ownersFor({ userId, orgId });
    const kept = credentialFor(url, orgId, await this.kept.opened(owners));
    return kept ?? credentialFor(url, orgId, this.settings.GIT_CREDENTIALS);
  }
}
