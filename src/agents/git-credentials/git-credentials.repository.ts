import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { nearestFirst, newId, type Owner, SecretBox } from '../../kernel/common';
import { ownedBy, type SealedColumn } from '../../kernel/database';
import { DomainEvents } from '../../kernel/domain-events';
import { OwnedRecords } from '../../accounts/owned-records';
import { type CredentialProvider, providerOf } from './credential-providers';
import { GitCredentialRow } from './git-credential.entity';

/** The column that stores the passwords. */
export const SEALED_GIT_PASSWORDS: SealedColumn = {
  table: 'git_credentials',
  column: 'sealed_password',
  contextOf: (id) => `git-credential:${id}`,
};

/** A credential without its password; `gitProvider` as given, `provider` as resolved. */
export type KeptCredential = Omit<GitCredentialRow, 'sealedPassword'> & {
  readonly provider: CredentialProvider | null;
};

/** The fields of a credential that its owner sets, without the password. */
type CredentialFields = Pick<GitCredentialRow, 'urlPrefix' | 'username' | 'gitProvider'>;

/** A credential with its password, in the form that git takes. */
export interface OpenedCredential {
  readonly id: string;
  readonly url_prefix: string;
  readonly username: string;
  readonly password: string;
  readonly provider: CredentialProvider | null;
}

/** Git credentials of users and organizations, with encrypted passwords. */
@Injectable()
export class GitCredentialsRepository extends OwnedRecords<GitCredentialRow> {
  constructor(
    @InjectRepository(GitCredentialRow) stored: Repository<GitCredentialRow>,
    events: DomainEvents,
    private readonly box: SecretBox,
  ) {
    super(stored, events, 'git_credentials');
  }

  /** Ordered by address. */
  async of(owners: readonly Owner[], rows = this.stored): Promise<KeptCredential[]> {
    const kept = await rows.find({
      select: { id: true, userId: true, orgId: true, urlPrefix: true, username: true, gitProvider: true },
      where: owners.map(ownedBy),
      order: { urlPrefix: 'ASC', id: 'ASC' },
    });
    return kept.map(known);
  }

  /** With their passwords, the nearest owner's first, ordered by address. */
  async opened(owners: readonly Owner[]): Promise<OpenedCredential[]> {
    const rows = await this.stored.find({
      where: owners.map(ownedBy),
      order: { urlPrefix: 'ASC', id: 'ASC' },
    });
    return rows.sort(nearestFirst).map((row) => ({
      id: row.id,
      url_prefix: row.urlPrefix,
      username: row.username,
      password: this.box.open(row.sealedPassword, SEALED_GIT_PASSWORDS.contextOf(row.id)),
      provider: known(row).provider,
    }));
  }

  async insert(
    rows: Repository<GitCredentialRow>,
    owner: Owner,
    { password, ...fields }: CredentialFields & { readonly password: string },
  ): Promise<KeptCredential> {
    const kept = { ...owner, id: newId(), ...fields };
    await rows.insert({ ...kept, sealedPassword: this.sealed(kept.id, password) });
    return known(kept);
  }

  /** @param password null where the present one stays */
  async update(
    rows: Repository<GitCredentialRow>,
    { id, urlPrefix, username, gitProvider }: CredentialFields & { readonly id: string },
    password: string | null,
  ): Promise<void> {
    const sealed = password === null ? {} : { sealedPassword: this.sealed(id, password) };
    await rows.update({ id }, { urlPrefix, username, gitProvider, ...sealed });
  }

  private sealed(id: string, password: string): string {
    return this.box.seal(password, SEALED_GIT_PASSWORDS.contextOf(id));
  }
}

/** Adds the provider that holds for a credential. */
export function known<Row extends Pick<GitCredentialRow, 'urlPrefix' | 'gitProvider'>>(
  row: Row,
): Row & { readonly provider: CredentialProvider | null } {
  return { ...row, provider: providerOf(row.urlPrefix, row.gitProvider) };
}
