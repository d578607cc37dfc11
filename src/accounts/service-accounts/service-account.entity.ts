import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What a service account is beside a user and a member: whom to ask about it. */
@Entity('service_accounts')
@Index('service_accounts_org_id', ['orgId'])
@Index('service_accounts_owner_user_id', ['ownerUserId'])
export class ServiceAccount {
  @PrimaryColumn('uuid')
  @ForeignKey('User', { name: 'service_accounts_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'service_accounts_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  /** A member, who is a person; null when they have left. */
  @Column('uuid', { nullable: true })
  @ForeignKey('User', { name: 'service_accounts_owner_user_id_fkey', onDelete: 'SET NULL' })
  ownerUserId!: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
