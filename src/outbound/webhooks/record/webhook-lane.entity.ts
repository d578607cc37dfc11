import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * What is to be delivered one after the other: to one endpoint, of one conversation or of the audit log, or a single
 * delivery that belongs to neither. A row is there while any of it is pending (docs/decisions/0037-lanes-with-leases.md).
 */
@Entity('webhook_lanes')
@Index('webhook_lanes_due', ['webhookId', 'dueAt'])
export class WebhookLane {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_lanes_pkey' })
  @ForeignKey('Webhook', { name: 'webhook_lanes_webhook_id_fkey', onDelete: 'CASCADE' })
  webhookId!: string;

  /** The conversation, the organization for rows of its audit log, or the delivery's own id. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_lanes_pkey' })
  lane!: string;

  @Column({
    type: 'timestamptz',
    precision: 3,
    comment: 'when it may be taken: a leased one when the lease ends',
  })
  dueAt!: Date;

  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
    comment: 'until when the endpoint asked, by Retry-After, not to be sent what is at its head',
  })
  notBefore!: Date | null;

  /** Of the worker that took it last; what another one writes has no effect. */
  @Column('bigint', { default: 0 })
  fence!: string;

  @Column('bigint', {
    default: 0,
    comment: 'how often deliveries were added: one who found it empty sees by it that more came',
  })
  additions!: string;
}
