import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import { MaxBytes, MaxCharacters, MaxJsonBytes, OneOf } from '../../../kernel/database';
import { DISABLED_REASONS, type DisabledReason } from './webhook.enums';
import { MAX_CONVERSATION_IDS, MAX_DESCRIPTION, MAX_KINDS, MAX_TAGS_BYTES, MAX_URL } from './limits';

/** An endpoint of an organization that is called back (docs/webhooks.md). */
@Entity('webhooks')
@Check('kinds_length', `cardinality(kinds) BETWEEN 1 AND ${MAX_KINDS}`)
@Check('conversation_ids_length', `cardinality(conversation_ids) BETWEEN 1 AND ${MAX_CONVERSATION_IDS}`)
@Index('webhooks_org_id', ['orgId'])
@Index('webhooks_created_by_user_id', ['createdByUserId'])
export class Webhook {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'webhooks_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @Column('text')
  @MaxCharacters(MAX_URL)
  url!: string;

  @Column('text', { default: '' })
  @MaxCharacters(MAX_DESCRIPTION)
  description!: string;

  /** Which kinds are delivered (docs/webhooks.md#filters). */
  @Column('text', { array: true })
  kinds!: string[];

  /** Null for those of all conversations, and for what belongs to none. */
  @Column('uuid', { array: true, nullable: true })
  conversationIds!: string[] | null;

  /** Those that a conversation must all have; null for every conversation, and for what belongs to none. */
  @Column('jsonb', { nullable: true })
  @MaxJsonBytes(MAX_TAGS_BYTES)
  tags!: Record<string, string> | null;

  @Column('boolean', { default: true })
  enabled!: boolean;

  @Column('text', { nullable: true })
  @OneOf(DISABLED_REASONS)
  disabledReason!: DisabledReason | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  disabledAt!: Date | null;

  @Column('text')
  @MaxBytes(1_000)
  sealedSecret!: string;

  /** The one before the last rotation. */
  @Column('text', { nullable: true })
  @MaxBytes(1_000)
  sealedPreviousSecret!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousSecretUntil!: Date | null;

  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
    comment: 'the first failure since the last success',
  })
  failingSince!: Date | null;

  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
    comment: 'while it fails: when something is tried before its time, to see whether it works again',
  })
  probeAt!: Date | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('User', { name: 'webhooks_created_by_user_id_fkey', onDelete: 'SET NULL' })
  createdByUserId!: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
