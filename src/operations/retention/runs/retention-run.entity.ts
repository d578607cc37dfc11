import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MaxJsonBytes } from '../../../kernel/database';

/** Most bytes of what a run has removed, as JSON: a few numbers for each kind. */
const MAX_REMOVED_BYTES = 10_000;

/** The run of an organization that is under way, or was the last. */
@Entity('retention_runs')
export class RetentionRun {
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { name: 'retention_runs_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  /** Later runs have higher ones. */
  @Column('bigint')
  fence!: string;

  /** Until when no other run may begin, unless it ends before. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  claimedUntil!: Date | null;

  @Column('jsonb', {
    default: {},
    comment: 'by the run that is under way, or was interrupted; empty once it is in the audit log',
  })
  @MaxJsonBytes(MAX_REMOVED_BYTES)
  removed!: object;
}
