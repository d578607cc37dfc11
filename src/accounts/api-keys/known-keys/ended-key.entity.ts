import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';

/** A key that is gone, which a trigger keeps: so that the audit log says whose it was that is still sent (docs/audit-log.md). */
@Entity('ended_keys')
@Index('ended_keys_user_id', ['userId'])
@Index('ended_keys_org_id', ['orgId'])
@Index('ended_keys_ended_at', ['endedAt'])
export class EndedKey {
  @PrimaryColumn({ type: 'character', length: 64 })
  digest!: string;

  @Column('uuid')
  @ForeignKey('User', { name: 'ended_keys_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string;

  @Column('uuid', { nullable: true })
  @ForeignKey('Organization', { name: 'ended_keys_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string | null;

  @Column('text')
  @MaxCharacters(20)
  prefix!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  endedAt!: Date;
}
