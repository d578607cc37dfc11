import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../database';

/**
 * A sandbox whose host may still hold its process and folder: its row is gone, which a trigger notes, or its
 * deletion was given up.
 */
@Entity('sandbox_leftovers')
@Index('sandbox_leftovers_host_id', ['hostId'])
export class SandboxLeftover {
  @PrimaryColumn('uuid')
  sandboxId!: string;

  @Column('text')
  @MaxCharacters(255)
  hostId!: string;

  @Column('text')
  @MaxCharacters(100)
  driver!: string;
}
