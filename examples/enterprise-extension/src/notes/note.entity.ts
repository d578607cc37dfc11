import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A note for all members of an organization. */
@Entity('acme_notes')
export class Note {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  orgId!: string;

  @Column('text')
  text!: string;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt!: Date;
}
