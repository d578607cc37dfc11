import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A conversation under a legal hold that is to be deleted once it is lifted. */
@Entity('awaited_deletions')
@Index('awaited_deletions_org_id', ['orgId'])
export class AwaitedDeletion {
  @PrimaryColumn('uuid')
  @ForeignKey('Conversation', { name: 'awaited_deletions_conversation_id_fkey', onDelete: 'CASCADE' })
  conversationId!: string;

  @Column('uuid')
  orgId!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  askedAt!: Date;
}
