import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxBytes, MaxCharacters } from '../database';

/** A request that carried an `Idempotency-Key`. */
@Entity('idempotency_keys')
@Check('idempotency_keys_state', `state IN ('working', 'answered', 'unknown')`)
@Index('idempotency_keys_created', ['createdAt'])
export class IdempotencyKey {
  @PrimaryColumn('uuid')
  @ForeignKey('User', { name: 'idempotency_keys_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string;

  /** Of the organization, or the resource in one, of route and key. */
  @PrimaryColumn('character', { length: 64 })
  keyDigest!: string;

  @Column('character', { length: 64 })
  requestDigest!: string;

  /** The organization, or the resource in one; null for those of builds that did not note it. */
  @Column('text', { nullable: true })
  @MaxCharacters(200)
  scopeId!: string | null;

  @Column('text')
  state!: 'working' | 'answered' | 'unknown';

  @Column('integer', { nullable: true })
  status!: number | null;

  @Column('text', { nullable: true, comment: 'the JSON text of the answer, without secrets' })
  @MaxBytes(16 * 1024 * 1024)
  answer!: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
