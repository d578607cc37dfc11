import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A host that runs sandboxes, and when its worker was last seen. */
@Entity('sandbox_hosts')
export class SandboxHost {
  @PrimaryColumn('text')
  id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  seenAt!: Date;
}
