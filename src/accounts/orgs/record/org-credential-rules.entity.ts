import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Role } from '../../../kernel/auth';

/** What an organization asks of the credentials that are used in it, beyond being a member's. */
@Entity('org_credential_rules')
@Index('org_credential_rules_only_provider_id', ['onlyProviderId'], {
  where: 'only_provider_id IS NOT NULL',
})
@Check('org_credential_rules_days', 'longest_key_days BETWEEN 1 AND 3660')
@Check('org_credential_rules_makers', `key_makers IN ('member', 'admin', 'owner')`)
export class OrgCredentialRules {
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { name: 'org_credential_rules_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  /** How long a key may work, from when it was made; null for as long as wanted. */
  @Column('integer', { nullable: true })
  longestKeyDays!: number | null;

  /** Whether keys need a time at which they end. */
  @Column('boolean', { default: false })
  expiryRequired!: boolean;

  /** Whether keys need scopes. */
  @Column('boolean', { default: false })
  scopesRequired!: boolean;

  /** The lowest role that may make keys. */
  @Column('text', { default: 'member' })
  keyMakers!: Role;

  /** Whether people's keys count although the organization lets people in by its own provider only. */
  @Column('boolean', { default: false })
  keysBesideProvider!: boolean;

  /** The provider of identities by which alone people are let in; null where everything lets them in. */
  @Column('uuid', { nullable: true })
  @ForeignKey('IdentityProvider', {
    name: 'org_credential_rules_only_provider_id_fkey',
    onDelete: 'SET NULL',
  })
  onlyProviderId!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
