import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainEvents } from '../../../kernel/domain-events';
import {
  type Counts,
  type ErasureRun,
  type ExportedRecords,
  fewLines,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from '../../personal-data';
import { LastOwnerErasedError } from '../organizations/orgs.errors';
import { AccountLocks } from '../record/account-locks';
import { OrgMember } from '../record/org-member.entity';
import { User } from '../record/user.entity';
import { isLastOwnerOfOthers, selectMemberships } from './account-erasure.query';

/** A user, as far as an erasure asks. */
export type ErasedAccount = Pick<User, 'id' | 'kind' | 'email' | 'erasedAt'>;

const STATE = { id: true, kind: true, email: true, erasedAt: true } as const;

/**
 * What there is of a person as a user and a member (docs/personal-data.md#erasure). Accounts and memberships end at the beginning
 * of an erasure, before anything is removed: nobody acts as the person any more, and nobody comes back as them.
 */
@Injectable()
export class AccountErasure implements PersonalPart {
  readonly name = 'account';

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly locks: AccountLocks,
    private readonly events: DomainEvents,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  /** A user by id; null where there is none. */
  find(transaction: EntityManager, id: string): Promise<ErasedAccount | null> {
    return transaction.getRepository(User).findOne({ where: { id }, select: STATE });
  }

  /** The rank of a member, and what they are; null for who is none. */
  async roleIn(
    transaction: EntityManager,
    { userId, orgId }: { readonly userId: string; readonly orgId: string },
  ): Promise<(Pick<OrgMember, 'role'> & Pick<User, 'kind'>) | null> {
    const member = await transaction.getRepository(OrgMember).findOneBy({ userId, orgId });
    const user = member === null ? null : await this.find(transaction, userId);
    return member === null || user === null ? null : { role: member.role, kind: user.kind };
  }

  /** The ids of the organizations that a user is in, in the order in which they are locked. */
  async organizationsOf(transaction: EntityManager, userId: string): Promise<string[]> {
    return (await selectMemberships(transaction, userId)).map(({ org_id }) => org_id);
  }

  /** Locks organizations, and then the user, until the transaction ends. */
  async lock(transaction: EntityManager, orgIds: readonly string[], userId: string): Promise<void> {
    for (const id of orgIds) await this.locks.organization(transaction, id);
    await this.locks.user(transaction, userId);
  }

  /** Asserts that an organization keeps an owner while others are in it. @throws LastOwnerErasedError */
  async checkLeaving(transaction: EntityManager, orgId: string, userId: string): Promise<void> {
    if (await isLastOwnerOfOthers(transaction, orgId, userId)) throw new LastOwnerErasedError();
  }

  /** Ends a membership, as when the member leaves; also of who is alone in their organization. */
  async leave(transaction: EntityManager, orgId: string, userId: string): Promise<void> {
    const { affected } = await transaction.getRepository(OrgMember).delete({ orgId, userId });
    if (affected === 1)
      await this.events.publish(transaction, { kind: 'member.removed', org_id: orgId, user_id: userId });
  }

  /** Leaves nothing of the account but its id: whoever has the address from now on is somebody else. */
  async endAccount(transaction: EntityManager, userId: string): Promise<void> {
    await transaction.getRepository(User).update(
      { id: userId },
      {
        email: null,
        name: null,
        currentOrgId: null,
        confinedToOrgId: null,
        disabledAt: () => 'coalesce(disabled_at, now())',
        erasedAt: () => 'now()',
      },
    );
  }

  exports({ userId: id, orgId }: PersonalScope): readonly ExportedRecords[] {
    const users = this.database.getRepository(User);
    const memberships = async () =>
      (await selectMemberships(this.database, id)).filter(({ org_id }) => orgId === null || org_id === orgId);
    return [
      {
        name: 'profile',
        lines: () =>
          fewLines(
            () => users.findBy({ id }),
            ({ email, name, createdAt }) => ({ id, email, name, created_at: createdAt }),
          ),
      },
      { name: 'memberships', lines: () => fewLines(memberships, (row) => row) },
    ];
  }

  count(): Promise<Counts> {
    return Promise.resolve({});
  }

  /** What there was of it has gone at the beginning. */
  erase(_scope: PersonalScope, run: ErasureRun): Promise<void> {
    return run.done(this.name);
  }
}
