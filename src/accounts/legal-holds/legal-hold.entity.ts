import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../kernel/database';
import { MAX_HOLD_REASON } from './limits';

/** What must not be deleted: a conversation, or all that a person has in the organization. */
@Entity('legal_holds')
@Index('legal_holds_org_id', ['orgId', 'id'])
@Index('legal_holds_conversation_id', ['conversationId'], { where: 'lifted_at IS NULL' })
@Index('legal_holds_user_id', ['userId'], { where: 'lifted_at IS NULL' })
@Check('legal_holds_one', '(conversation_id IS NULL) <> (user_id IS NULL)')
@Check('legal_holds_lifted', '(lifted_at IS NULL) = (lifted_by_user_id IS NULL)')
export class LegalHold {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'legal_holds_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @Column('uuid', { nullable: true })
  conversationId!: string | null;

  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('text')
  @MaxCharacters(MAX_HOLD_REASON)
  reason!: string;

  @Column('uuid')
  createdByUserId!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** Null while it lasts. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  liftedAt!: Date | null;

  @Column('uuid', { nullable: true })
  liftedByUserId!: string | null;
}
