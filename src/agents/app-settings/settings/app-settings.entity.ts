import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MaxJsonBytes } from '../../../kernel/database';

/** The size of 200 of the longest registrations. */
const MAX_REGISTRATIONS_BYTES = 4 * 1024 * 1024;

/**
 * A marketplace registration as stored: its scope follows from the table it is in
 * (docs/contract.md#marketplace-registrations).
 */
export interface StoredRegistration {
  name: string;
  source: string;
  ref: string | null;
  repo_path: string | null;
  auto_load: boolean;
}

@Entity('org_app_settings')
export class OrgAppSettingsRow {
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { name: 'org_app_settings_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @Column('boolean', { default: true })
  enableProactiveConversationStarters!: boolean;

  @Column('double precision', { nullable: true })
  maxBudgetPerTask!: number | null;

  @Column('jsonb', { default: [] })
  @MaxJsonBytes(MAX_REGISTRATIONS_BYTES)
  registeredMarketplaces!: StoredRegistration[];

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}

/** What a user has saved with a key bound to an organization; applies there instead of {@link UserAppSettingsRow}. */
@Entity('user_org_app_settings')
export class UserOrgAppSettingsRow {
  @PrimaryColumn('uuid')
  @ForeignKey('User', { name: 'user_org_app_settings_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { name: 'user_org_app_settings_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @Column('jsonb', { default: [] })
  @MaxJsonBytes(MAX_REGISTRATIONS_BYTES)
  registeredMarketplaces!: StoredRegistration[];

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}

@Entity('user_app_settings')
export class UserAppSettingsRow {
  @PrimaryColumn('uuid')
  @ForeignKey('User', { name: 'user_app_settings_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string;

  @Column('jsonb', { default: [] })
  @MaxJsonBytes(MAX_REGISTRATIONS_BYTES)
  registeredMarketplaces!: StoredRegistration[];

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
