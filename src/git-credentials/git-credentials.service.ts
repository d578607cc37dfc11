import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type Owner, parseUuid } from '../common';
import { DomainEvents } from '../domain-events';
import { MAX_CREDENTIALS } from './credential-rules';
import type { GitCredential, GitCredentialCreate, GitCredentialList } from './git-credentials.dto';
import {
  GitCredentialExistsError,
  GitCredentialNotFoundError,
  TooManyGitCredentialsError,
} from './git-credentials.errors';
import { GitCredentialsRepository, type KeptCredential } from './git-credentials.repository';

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
  create(owner: Owner, given: GitCredentialCreate): Promise<GitCredential> {
    const credential = { ...plain(given), url_prefix: new URL(given.url_prefix).href };
    return this.change(owner, async (transaction) => {
      const present = await this.credentials.of([owner], transaction);
      if (present.some(({ urlPrefix }) => urlPrefix === credential.url_prefix))
        throw new GitCredentialExistsError();
      if (present.length >= MAX_CREDENTIALS) throw new TooManyGitCredentialsError(MAX_CREDENTIALS);
      return toInfo(await this.credentials.insert(transaction, owner, credential));
    });
  }

  /** @throws GitCredentialNotFoundError */
  delete(owner: Owner, text: string): Promise<void> {
    const id = parseUuid(text);
    return this.change(owner, async (transaction) => {
      const found = (await this.credentials.of([owner], transaction)).find((kept) => kept.id === id);
      if (found === undefined) throw new GitCredentialNotFoundError();
      await this.credentials.delete(transaction, found.id);
    });
  }

  private change<T>(owner: Owner, work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.database.transaction(async (transaction) => {
      await this.credentials.lock(transaction, owner);
      const result = await work(transaction);
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

function plain({ url_prefix, username, password }: GitCredentialCreate) {
  return { url_prefix, username, password };
}

function toInfo({ id, urlPrefix, username }: KeptCredential): GitCredential {
  return { id, url_prefix: urlPrefix, username };
}
