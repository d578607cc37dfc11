import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type Owner, parseUuid, unlessHidden } from '../../kernel/common';
import { DomainEvents } from '../../kernel/domain-events';
import { MAX_CREDENTIALS, prefixIn } from './credential-rules';
import type {
  GitCredential,
  GitCredentialCreate,
  GitCredentialList,
  GitCredentialUpdate,
} from './operations/git-credentials.dto';
import {
  GitCredentialExistsError,
  GitCredentialNotFoundError,
  GitPasswordNeededError,
  TooManyGitCredentialsError,
} from './git-credentials.errors';
import { GitCredentialsRepository, known, type KeptCredential } from './git-credentials.repository';

/** Git credentials of one owner (docs/contract.md#git-credentials). */
@Injectable()
export class GitCredentialsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly credentials: GitCredentialsRepository,
    private readonly events: DomainEvents,
  ) {}

  async list(owner: Owner): Promise<GitCredentialList> {
    return { credentials: (await this.credentials.of([owner])).map(toInfo) };
  }

  /** @throws GitCredentialExistsError, TooManyGitCredentialsError */
  create(
    owner: Owner,
    { url_prefix: address, username, password, git_provider: gitProvider = null }: GitCredentialCreate,
  ): Promise<GitCredential> {
    const urlPrefix = prefixIn(address);
    return this.change(owner, async (transaction, present) => {
      if (present.some((kept) => kept.urlPrefix === urlPrefix)) throw new GitCredentialExistsError();
      if (present.length >= MAX_CREDENTIALS) throw new TooManyGitCredentialsError(MAX_CREDENTIALS);
      const fields = { urlPrefix, username, password, gitProvider };
      return toInfo(await this.credentials.insert(transaction, owner, fields));
    });
  }

  /**
   * Changes what is said of a credential. A password was given for one host, so it does not follow to another.
   * @throws GitCredentialNotFoundError, GitCredentialExistsError, GitPasswordNeededError
   */
  update(owner: Owner, text: string, given: GitCredentialUpdate): Promise<GitCredential> {
    return this.change(owner, async (transaction, present) => {
      const before = withId(present, text);
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
      await this.credentials.update(transaction, after, password ?? null);
      return toInfo(known(after));
    });
  }

  /** @throws GitCredentialNotFoundError */
  delete(owner: Owner, text: string): Promise<void> {
    return this.change(owner, (transaction, present) =>
      this.credentials.delete(transaction, withId(present, text).id),
    );
  }

  private change<T>(
    owner: Owner,
    work: (transaction: EntityManager, present: readonly KeptCredential[]) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (transaction) => {
      await this.credentials.lock(transaction, owner);
      const result = await work(transaction, await this.credentials.of([owner], transaction));
      await this.events.publish(transaction, {
        kind: 'settings.updated',
        org_id: owner.orgId,
        user_id: owner.userId,
        fields: ['git_credentials'],
      });
      return result;
    });
  }
}

function withId(present: readonly KeptCredential[], text: string): KeptCredential {
  const id = parseUuid(text);
  const found = present.find((kept) => kept.id === id);
  if (found === undefined) throw new GitCredentialNotFoundError();
  return found;
}

function toInfo({ id, urlPrefix, username, provider }: KeptCredential): GitCredential {
  return { id, url_prefix: urlPrefix, username, git_provider: provider };
}
