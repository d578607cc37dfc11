import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';

/**
 * A sandbox whose process and folder may still be on its host: its row is gone, which a trigger records, or its
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
