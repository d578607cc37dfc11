import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A note for all members of an organization. */
@Entity('acme_notes')
export class Note {
  /** Of what it is about, where it comes from a listener. */
  @PrimaryColumn('text')
  id!: string;

  @Column('uuid')
  orgId!: string;

  @Column('text')
  text!: string;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt!: Date;
}
