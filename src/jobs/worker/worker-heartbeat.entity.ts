import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A worker that may hold jobs, and until when it is believed to be alive. */
@Entity('worker_heartbeats')
@Index('worker_heartbeats_lease_until', ['leaseUntil'])
export class WorkerHeartbeat {
  @PrimaryColumn('text')
  workerId!: string;

  /** Host name and process id, for people who look for it. */
  @Column('text')
  process!: string;

  @Column('timestamptz')
  leaseUntil!: Date;
}
