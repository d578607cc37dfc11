import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How many people have come into an organization for the first time, by all providers that let people into it. */
@Entity('new_people')
export class NewPeopleOfHour {
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { name: 'new_people_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  /** When the first of them came; an hour later counting begins anew. */
  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  @Column('integer')
  people!: number;
}
