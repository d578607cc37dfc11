import { applyDecorators } from '@nestjs/common';
import { Column, ForeignKey, Index, type ObjectLiteral, PrimaryColumn, type Repository } from 'typeorm';
import { type FixedError, type Owner, parseUuid } from '../../kernel/common';
import { lockForTransaction } from '../../kernel/database';
import type { DomainEvents } from '../../kernel/domain-events';

/** A record of a user, everywhere or in one organization, or of an organization; an entity is {@link Owned} as well. */
export abstract class OwnedRecord {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('uuid', { nullable: true })
  orgId!: string | null;
}

/** Deletes rows with the columns `userId` and `orgId` together with their user, organization or membership. */
export function Owned(table: string): ClassDecorator {
  const cascade = (what: string) => ({ name: `${table}_${what}_fkey`, onDelete: 'CASCADE' }) as const;
  return applyDecorators(
    Index(`${table}_org_id`, ['orgId']),
    ForeignKey('User', ['userId'], ['id'], cascade('user_id')),
    ForeignKey('Organization', ['orgId'], ['id'], cascade('org_id')),
    ForeignKey('OrgMember', ['orgId', 'userId'], ['orgId', 'userId'], cascade('member')),
  );
}

/** Records of one kind that users and organizations keep, such as secrets (docs/contract.md#whose-settings-hold). */
export abstract class OwnedRecords<Row extends ObjectLiteral> {
  /** @param kind how `settings.updated` names them */
  protected constructor(
    protected readonly stored: Repository<Row>,
    private readonly events: DomainEvents,
    private readonly kind: string,
  ) {}

  /**
   * Changes what an owner keeps in one transaction, and publishes that. The changes of a user, and those of an organization, run
   * one after the other: what `work` reads of them holds until it is done.
   * @param work gets the rows as its transaction has them
   */
  change<T>({ userId, orgId }: Owner, work: (rows: Repository<Row>) => Promise<T>): Promise<T> {
    return this.stored.manager.transaction(async (transaction) => {
      await lockForTransaction(transaction, `${this.kind}:${userId ?? orgId}`);
      const result = await work(transaction.withRepository(this.stored));
      await this.events.publish(transaction, {
        kind: 'settings.updated',
        org_id: orgId,
        user_id: userId,
        fields: [this.kind],
      });
      return result;
    });
  }
}

/**
 * The record that a request names.
 * @param text the id as the request has it
 * @param Missing thrown if there is none of this id
 */
export function withId<Row extends { readonly id: string }>(
  records: readonly Row[],
  text: string,
  Missing: FixedError,
): Row {
  const id = parseUuid(text);
  const found = records.find((record) => record.id === id);
  if (found === undefined) throw new Missing();
  return found;
}
