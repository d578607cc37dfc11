import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OneOf } from '../../../kernel/database';
import { ANNOUNCED_KINDS, type AnnouncedKind } from '../kinds/retention-kinds';

/** What an organization was told of last. */
@Entity('retention_announcements')
export class RetentionAnnouncement {
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { name: 'retention_announcements_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @PrimaryColumn('text')
  @OneOf(ANNOUNCED_KINDS)
  kind!: AnnouncedKind;

  @Column({ type: 'timestamptz', precision: 3 })
  announcedAt!: Date;

  @Column({
    type: 'timestamptz',
    precision: 3,
    comment: 'what was last active before this was announced at that time',
  })
  announcedBefore!: Date;

  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
    comment: 'what was last active before this was announced long enough ago; null while nothing was',
  })
  removableBefore!: Date | null;
}
