import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A sandbox whose row is gone while its host may still hold its process and folder; a trigger notes it. */
@Entity('sandbox_leftovers')
@Index('sandbox_leftovers_host_id', ['hostId'])
export class SandboxLeftover {
  @PrimaryColumn('uuid')
  sandboxId!: string;

  @Column('text')
  hostId!: string;

  @Column('text')
  driver!: string;
}
