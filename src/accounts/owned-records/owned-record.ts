import { applyDecorators } from '@nestjs/common';
import { Column, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What is kept for a user, everywhere or in one organization, or for an organization; an entity is {@link Owned} as well. */
export abstract class OwnedRecord {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('uuid', { nullable: true })
  orgId!: string | null;
}

/** Has rows with the columns `userId` and `orgId` go with their user, their organization and the user's membership in it. */
export function Owned(table: string): ClassDecorator {
  const cascade = (what: string) => ({ name: `${table}_${what}_fkey`, onDelete: 'CASCADE' }) as const;
  return applyDecorators(
    Index(`${table}_org_id`, ['orgId']),
    ForeignKey('User', ['userId'], ['id'], cascade('user_id')),
    ForeignKey('Organization', ['orgId'], ['id'], cascade('org_id')),
    ForeignKey('OrgMember', ['orgId', 'userId'], ['orgId', 'userId'], cascade('member')),
  );
}
