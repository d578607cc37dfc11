import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MaxBytes, MaxCharacters } from '../../../kernel/database';
import { MAX_ANSWER_BYTES, MAX_ERROR } from './limits';

/** One request of a delivery, and its outcome. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_attempts_pkey' })
  @ForeignKey('WebhookDelivery', { name: 'webhook_attempts_delivery_id_fkey', onDelete: 'CASCADE' })
  deliveryId!: string;

  /** From 1 on. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'webhook_attempts_pkey' })
  number!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  @Column('integer')
  durationMs!: number;

  /** Null when there was no answer. */
  @Column('integer', { nullable: true })
  status!: number | null;

  /** What went wrong; null for a success. */
  @Column('text', { nullable: true })
  @MaxCharacters(MAX_ERROR)
  error!: string | null;

  /** The beginning of the answer's body. */
  @Column('text', { nullable: true })
  @MaxBytes(3 * MAX_ANSWER_BYTES)
  answer!: string | null;
}
