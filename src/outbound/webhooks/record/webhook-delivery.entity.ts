import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxBytes, MaxCharacters, OneOf } from '../../../kernel/database';
import { DELIVERY_STATES, type DeliveryState } from './webhook.enums';
import { MAX_ERROR, MAX_PAYLOAD_BYTES } from './limits';

/** An event for one endpoint. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_listed', { synchronize: false })
@Index('webhook_deliveries_pending', { synchronize: false })
@Index('webhook_deliveries_failed', { synchronize: false })
@Index('webhook_deliveries_completed', { synchronize: false })
export class WebhookDelivery {
  /** Also the header `webhook-id`: the same whenever it is sent again. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Webhook', { name: 'webhook_deliveries_webhook_id_fkey', onDelete: 'CASCADE' })
  webhookId!: string;

  @Column('uuid')
  lane!: string;

  /** Its place in the lane; a replay puts it at the end. */
  @Column('bigint', { default: () => `nextval('webhook_ranks')` })
  rank!: string;

  @Column('text')
  @MaxCharacters(100)
  type!: string;

  /** The agent's kind of an `event.received`. */
  @Column('text', { nullable: true })
  @MaxCharacters(512)
  eventKind!: string | null;

  @Column('uuid', { nullable: true })
  conversationId!: string | null;

  /** JSON; the event of an `event.received` is added when it is sent. */
  @Column('text')
  @MaxBytes(MAX_PAYLOAD_BYTES)
  data!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  occurredAt!: Date;

  @Column('text', { default: 'pending' })
  @OneOf(DELIVERY_STATES)
  state!: DeliveryState;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column('integer', {
    default: 0,
    comment: 'in a row, since it was made or replayed: for the back-off',
  })
  failures!: number;

  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
    comment:
      'when it is tried again by the back-off; an attempt before that, when it fails, counts for nothing',
  })
  retryAt!: Date | null;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_ERROR)
  lastError!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completedAt!: Date | null;
}
