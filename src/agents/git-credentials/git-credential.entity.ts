import { Check, Column, Entity, Index } from 'typeorm';
import { MaxBytes, MaxCharacters, OneOf } from '../../kernel/database';
import { Owned, OwnedRecord } from '../../accounts/owned-records';
import { CREDENTIAL_PROVIDERS, type CredentialProvider } from './credential-providers';
import { MAX_SEALED_BYTES, MAX_URL_PREFIX, MAX_USERNAME } from './credential-rules';

/** A user name and password for the repositories below a URL prefix, of a user or an organization. */
@Entity('git_credentials')
@Index('git_credentials_prefix_key', { synchronize: false })
@Owned('git_credentials')
@Check('git_credentials_owned', 'user_id IS NOT NULL OR org_id IS NOT NULL')
export class GitCredentialRow extends OwnedRecord {
  @Column('text')
  @MaxCharacters(MAX_URL_PREFIX)
  urlPrefix!: string;

  @Column('text')
  @MaxCharacters(MAX_USERNAME)
  username!: string;

  @Column('text')
  @MaxBytes(MAX_SEALED_BYTES)
  sealedPassword!: string;

  /** The provider of the repositories; null where the host implies it. */
  @Column('text', { nullable: true })
  @OneOf(CREDENTIAL_PROVIDERS)
  gitProvider!: CredentialProvider | null;
}
