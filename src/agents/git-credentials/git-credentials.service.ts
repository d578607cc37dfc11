import { Injectable } from '@nestjs/common';
import { type Owner, unlessHidden, appError } from '../../kernel/common';
import { withId } from '../../accounts/owned-records';
import { MAX_CREDENTIALS, prefixIn } from './credential-rules';
import type {
  GitCredential,
  GitCredentialCreate,
  GitCredentialList,
  GitCredentialUpdate,
} from './operations/git-credentials.dto';
import { GitCredentialsRepository, known, type KeptCredential } from './git-credentials.repository';

/** 404: there is no such credential, or it is somebody else's. */
export const GitCredentialNotFoundError = appError(
  404,
  'git_credential_not_found',
  'There is no such credential.',
);

/** 409: there is one for this address already. */
export const GitCredentialExistsError = appError(
  409,
  'git_credential_exists',
  'There is a credential for this address already; delete it first.',
);

/** 409: the limit of credentials per owner is reached. */
export const TooManyGitCredentialsError = appError(
  409,
  'too_many_git_credentials',
  `There are ${MAX_CREDENTIALS} credentials, which is the most there may be.`,
);

/** 400: a password is not sent to another host than the one it was given for. */
export const GitPasswordNeededError = appError(
  400,
  'git_password_needed',
  'At another host a credential needs its password anew: send it along with the address.',
);

/** Git credentials of one owner (docs/contract.md#git-credentials). */
@Injectable()
export class GitCredentialsService {
  constructor(private readonly credentials: GitCredentialsRepository) {}

  async list(owner: Owner): Promise<GitCredentialList> {
    return { credentials: (await this.credentials.of([owner])).map(toInfo) };
  }

  /** @throws GitCredentialExistsError, TooManyGitCredentialsError */
  create(
    owner: Owner,
    { url_prefix: address, username, password, git_provider: gitProvider = null }: GitCredentialCreate,
  ): Promise<GitCredential> {
    const urlPrefix = prefixIn(address);
    return this.credentials.change(owner, async (rows) => {
      const present = await this.credentials.of([owner], rows);
      if (present.some((kept) => kept.urlPrefix === urlPrefix)) throw new GitCredentialExistsError();
      if (present.length >= MAX_CREDENTIALS) throw new TooManyGitCredentialsError();
      const fields = { urlPrefix, username, password, gitProvider };
      return toInfo(await this.credentials.insert(rows, owner, fields));
    });
  }

  /**
   * Changes a credential. A password was given for one host, so it does not follow to another.
   * @throws GitCredentialNotFoundError, GitCredentialExistsError, GitPasswordNeededError
   */
  update(owner: Owner, text: string, given: GitCredentialUpdate): Promise<GitCredential> {
    return this.credentials.change(owner, async (rows) => {
      const present = await this.credentials.of([owner], rows);
      const before = withId(present, text, GitCredentialNotFoundError);
      const password = unlessHidden(given.password);
      const urlPrefix = given.url_prefix === undefined ? before.urlPrefix : prefixIn(given.url_prefix);
      if (present.some((kept) => kept.urlPrefix === urlPrefix && kept.id !== before.id))
        throw new GitCredentialExistsError();
      if (password === undefined && new URL(urlPrefix).origin !== new URL(before.urlPrefix).origin)
        throw new GitPasswordNeededError();
      const after = {
        ...before,
        urlPrefix,
        username: given.username ?? before.username,
        gitProvider: given.git_provider === undefined ? before.gitProvider : given.git_provider,
      };
      await this.credentials.update(rows, after, password ?? null);
      return toInfo(known(after));
    });
  }

  /** @throws GitCredentialNotFoundError */
  delete(owner: Owner, text: string): Promise<void> {
    return this.credentials.change(owner, async (rows) => {
      const { id } = withId(await this.credentials.of([owner], rows), text, GitCredentialNotFoundError);
      await rows.delete({ id });
    });
  }
}

function toInfo({ id, urlPrefix, username, provider }: KeptCredential): GitCredential {
  return { id, url_prefix: urlPrefix, username, git_provider: provider };
}
