import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** For how many days an organization keeps what; null as the installation does. */
@Entity('org_retention')
@Check('org_retention_events', 'events_days BETWEEN 1 AND 36500')
@Check('org_retention_conversations', 'conversations_days BETWEEN 1 AND 36500')
@Check('org_retention_messages', 'messages_days BETWEEN 1 AND 36500')
@Check('org_retention_deliveries', 'deliveries_days BETWEEN 1 AND 36500')
@Check('org_retention_archives', 'archives_days BETWEEN 1 AND 36500')
export class OrgRetention {
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { name: 'org_retention_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @Column('integer', { nullable: true })
  eventsDays!: number | null;

  @Column('integer', { nullable: true })
  conversationsDays!: number | null;

  @Column('integer', { nullable: true })
  messagesDays!: number | null;

  @Column('integer', { nullable: true })
  deliveriesDays!: number | null;

  @Column('integer', { nullable: true })
  archivesDays!: number | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
