import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import { MaxBytes, MaxCharacters, MaxJsonBytes } from '../../../kernel/database';
import { MAX_GROUP, MAX_PROVIDER_NAME, MAX_PROVIDER_TEXT } from './limits';

/** The id of the provider of the installation, whose values are settings. */
export const INSTALLATION_PROVIDER_ID = '00000000-0000-4000-8000-000000000001';

/** The role that the members of a group have. */
export interface GroupRole {
  /** As the provider writes it. */
  readonly group: string;
  /** One of the three, or the id of an own role of the organization. */
  readonly role: string;
}

/** An OpenID provider that lets people in: of an organization, or of the installation (docs/sign-in-providers.md). */
@Entity('identity_providers')
@Index('identity_providers_org_id', ['orgId'])
@Index('identity_providers_issuer', ['issuer'])
export class IdentityProvider {
  @PrimaryColumn('uuid')
  id!: string;

  /** The only organization that it lets people into; null for the installation's. */
  @Column('uuid', { nullable: true })
  @ForeignKey('Organization', { name: 'identity_providers_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string | null;

  /** What people see. */
  @Column('text')
  @MaxCharacters(MAX_PROVIDER_NAME)
  name!: string;

  @Column('text')
  @MaxCharacters(MAX_PROVIDER_TEXT)
  issuer!: string;

  @Column('text')
  @MaxCharacters(MAX_PROVIDER_TEXT)
  clientId!: string;

  /** Null for a public client. */
  @Column('text', { nullable: true })
  @MaxBytes(6_000)
  sealedClientSecret!: string | null;

  /** What is asked for, separated by spaces. */
  @Column('text', { default: 'openid email profile' })
  @MaxCharacters(MAX_PROVIDER_TEXT)
  scope!: string;

  /** Of who comes in for the first time and is in no group with a role; null lets none of them in. */
  @Column('text', { nullable: true })
  @MaxCharacters(36)
  defaultRole!: string | null;

  /** The claim that has the groups of a person. */
  @Column('text', { default: 'groups' })
  @MaxCharacters(MAX_GROUP)
  groupClaim!: string;

  /** The first one of a person's counts. */
  @Column('jsonb', { default: [] })
  @MaxJsonBytes(65_536)
  groupRoles!: readonly GroupRole[];

  /** What access tokens have to be for to count here as credentials; null where none do. */
  @Column('text', { nullable: true })
  @MaxCharacters(MAX_PROVIDER_TEXT)
  audience!: string | null;

  /** Whether the provider is asked about access tokens that are no JWTs. */
  @Column('boolean', { default: false })
  introspection!: boolean;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
