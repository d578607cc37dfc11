import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';

/** A host that runs sandboxes, and when its worker was last seen. */
@Entity('sandbox_hosts')
export class SandboxHost {
  @PrimaryColumn('text')
  @MaxCharacters(255)
  id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  seenAt!: Date;
}
