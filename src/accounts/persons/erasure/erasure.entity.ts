import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters, MaxJsonBytes, OneOf } from '../../../kernel/database';

/** Who asks for erasures. */
export const ASKERS = ['self', 'owner', 'operator'] as const;

/** How an erasure stands: it waits for legal holds to be lifted, is under way, or is done. */
export const STATES = ['waiting', 'working', 'done'] as const;

/** An erasure of a person. */
@Entity('erasures')
@Index('erasures_open_key', { synchronize: false })
@Index('erasures_user_id', ['userId', 'createdAt'])
@Index('erasures_org_id', ['orgId'])
@Check('erasures_email', `email IS NULL OR state = 'working'`)
export class Erasure {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('User', { name: 'erasures_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string;

  @Column('uuid', {
    nullable: true,
    comment: 'where only what they have in one organization is erased',
  })
  @ForeignKey('Organization', { name: 'erasures_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string | null;

  @Column('boolean')
  ofAccount!: boolean;

  @Column('text')
  @OneOf(ASKERS)
  askedBy!: (typeof ASKERS)[number];

  /** Null for the operator. */
  @Column('uuid', { nullable: true })
  askedByUserId!: string | null;

  @Column('text')
  @OneOf(STATES)
  state!: (typeof STATES)[number];

  @Column('text', {
    nullable: true,
    comment: 'of the account, by which some of it is found; until it is done',
  })
  @MaxCharacters(320)
  email!: string | null;

  /** What there was when it began. */
  @Column('jsonb', { default: {} })
  @MaxJsonBytes(8_192)
  counts!: Record<string, number>;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  begunAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;
}
