import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../database';

/** A worker that may have locked jobs, and until when it counts as alive. */
@Entity('worker_heartbeats')
@Index('worker_heartbeats_lease_until', ['leaseUntil'])
export class WorkerHeartbeat {
  @PrimaryColumn('text')
  @MaxCharacters(100)
  workerId!: string;

  /** Host name and process id, for operators. */
  @Column('text')
  @MaxCharacters(500)
  process!: string;

  @Column('timestamptz')
  leaseUntil!: Date;
}
