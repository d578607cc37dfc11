import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { nearestFirst, newId, type Owner, SecretBox } from '../common';
import { lockForTransaction, ownedBy, type SealedColumn } from '../database';
import { GitCredentialRow } from './git-credential.entity';

/** Where the passwords are kept. */
export const SEALED_GIT_PASSWORDS: SealedColumn = {
  table: 'git_credentials',
  column: 'sealed_password',
  contextOf: (id) => `git-credential:${id}`,
};

/** A credential without its password. */
export type KeptCredential = Omit<GitCredentialRow, 'sealedPassword'>;

/** A credential with its password, as git takes it. */
export interface OpenedCredential {
  readonly url_prefix: string;
  readonly username: string;
  readonly password: string;
}

/** Git credentials of users and organizations, their passwords encrypted. */
@Injectable()
export class GitCredentialsRepository {
  constructor(
    @InjectRepository(GitCredentialRow) private readonly credentials: Repository<GitCredentialRow>,
    private readonly box: SecretBox,
  ) {}

  /** Has changes of an owner's credentials follow one another. */
  async lock(transaction: EntityManager, { userId, orgId }: Owner): Promise<void> {
    await lockForTransaction(transaction, `git-credentials:${userId ?? ''}:${orgId ?? ''}`);
  }

  /** By address. */
  of(owners: readonly Owner[], transaction?: EntityManager): Promise<KeptCredential[]> {
    return (transaction?.withRepository(this.credentials) ?? this.credentials).find({
      select: { id: true, userId: true, orgId: true, urlPrefix: true, username: true },
      where: owners.map(ownedBy),
      order: { urlPrefix: 'ASC', id: 'ASC' },
    });
  }

  /** With their passwords, the nearest first. */
  async opened(owners: readonly Owner[]): Promise<OpenedCredential[]> {
    const rows = await this.credentials.findBy(owners.map(ownedBy));
    return rows.sort(nearestFirst).map((row) => ({
      url_prefix: row.urlPrefix,
      username: row.username,
      password: this.box.open(row.sealedPassword, SEALED_GIT_PASSWORDS.contextOf(row.id)),
    }));
  }

  async insert(
    transaction: EntityManager,
    owner: Owner,
    { url_prefix: urlPrefix, username, password }: OpenedCredential,
  ): Promise<KeptCredential> {
    const id = newId();
    const kept = { ...owner, id, urlPrefix, username };
    const sealedPassword = this.box.seal(password, SEALED_GIT_PASSWORDS.contextOf(id));
    await transaction.withRepository(this.credentials).insert({ ...kept, sealedPassword });
    return kept;
  }

  async delete(transaction: EntityManager, id: string): Promise<void> {
    await transaction.withRepository(this.credentials).delete({ id });
  }
}
