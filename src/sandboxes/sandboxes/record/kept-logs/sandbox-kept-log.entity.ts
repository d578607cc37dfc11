import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxBytes } from '../../../../kernel/database';

/** Most bytes of a log that is kept. */
export const MAX_KEPT_LOG = 64 * 1024;

/** The log of a sandbox that was deleted after a failed start. */
@Entity('sandbox_kept_logs')
@Index('sandbox_kept_logs_org_id', ['orgId', 'keptUntil'])
@Index('sandbox_kept_logs_kept_until', ['keptUntil'])
export class SandboxKeptLog {
  @PrimaryColumn('uuid')
  @ForeignKey('Sandbox', { name: 'sandbox_kept_logs_sandbox_id_fkey', onDelete: 'CASCADE' })
  sandboxId!: string;

  @Column('uuid')
  orgId!: string;

  @Column('text', {
    nullable: true,
    comment: 'its last lines; null until they were read, which its host does',
  })
  @MaxBytes(MAX_KEPT_LOG)
  lines!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  keptUntil!: Date;
}
