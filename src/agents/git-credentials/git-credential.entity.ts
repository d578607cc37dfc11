import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxBytes, MaxCharacters, OneOf } from '../../kernel/database';
import { CREDENTIAL_PROVIDERS, type CredentialProvider } from './credential-providers';
import { MAX_SEALED_BYTES, MAX_URL_PREFIX, MAX_USERNAME } from './credential-rules';

/** A user name and password for the repositories below a URL prefix, of a user or an organization. */
@Entity('git_credentials')
@Index('git_credentials_prefix_key', { synchronize: false })
@Index('git_credentials_org_id', ['orgId'])
@ForeignKey('OrgMember', ['orgId', 'userId'], ['orgId', 'userId'], {
  name: 'git_credentials_member_fkey',
  onDelete: 'CASCADE',
})
@Check('git_credentials_owned', 'user_id IS NOT NULL OR org_id IS NOT NULL')
export class GitCredentialRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { nullable: true })
  @ForeignKey('User', { name: 'git_credentials_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('Organization', { name: 'git_credentials_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string | null;

  @Column('text')
  @MaxCharacters(MAX_URL_PREFIX)
  urlPrefix!: string;

  @Column('text')
  @MaxCharacters(MAX_USERNAME)
  username!: string;

  @Column('text')
  @MaxBytes(MAX_SEALED_BYTES)
  sealedPassword!: string;

  /** Whose repositories are there; null where the host tells. */
  @Column('text', { nullable: true })
  @OneOf(CREDENTIAL_PROVIDERS)
  gitProvider!: CredentialProvider | null;
}
