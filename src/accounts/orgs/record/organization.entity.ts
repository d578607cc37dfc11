import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import { MAX_NAME } from './text-limits';

@Entity('organizations')
export class Organization {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  @MaxCharacters(MAX_NAME)
  name!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** Since when it is being deleted: nobody is a member any more, and nobody becomes one. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endingAt!: Date | null;

  /** Who asked for that; null for an operator. */
  @Column('uuid', { nullable: true })
  endingByUserId!: string | null;
}
