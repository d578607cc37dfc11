import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';

/** A deleted conversation that its agent server may still have; the row goes when it is gone there, too. */
@Entity('conversation_removals')
@Index('conversation_removals_sandbox_id', ['sandboxId'])
export class ConversationRemoval {
  @PrimaryColumn('uuid')
  conversationId!: string;

  @Column('uuid')
  sandboxId!: string;

  @Column('text', { nullable: true, comment: 'the driver of the server that the sandbox shares with others' })
  @MaxCharacters(100)
  driver!: string | null;

  @Column('text', { nullable: true, comment: 'where that server is, also when the sandbox is long gone' })
  @MaxCharacters(2048)
  baseUrl!: string | null;

  @Column('uuid', {
    nullable: true,
    comment: 'the start that may have made it: what carries another tag is not ours',
  })
  startTaskId!: string | null;

  /** Until then a start that was under way may still create it. */
  @Column({ type: 'timestamptz', precision: 3 })
  settlesAt!: Date;
}
