import { Inject, Injectable } from '@nestjs/common';
import { ownersFor, type Person } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { GitCredentialsRepository } from '../../git-credentials';
import { credentialFor, type GitCredential } from './git/git-credentials';

/** Whose credentials may be used: the organization's, and a user's before them. */
export type CredentialUser = Person | { readonly orgId: string; readonly userId: null };

/** Finds the credential for a repository among those that people keep, and behind them `GIT_CREDENTIALS`. */
@Injectable()
export class KeptCredentials {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly kept: GitCredentialsRepository,
  ) {}

  /** @returns null where nobody has one for this address */
  async forUrl(url: string, user: CredentialUser): Promise<GitCredential | null> {
    const { orgId } = user;
    const owners = user.userId === null ? [user] : ownersFor(user);
    const kept = credentialFor(url, orgId, await this.kept.opened(owners));
    return kept ?? credentialFor(url, orgId, this.settings.GIT_CREDENTIALS);
  }
}
