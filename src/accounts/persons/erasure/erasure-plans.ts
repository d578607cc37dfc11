import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LegalHolds } from '../../legal-holds';
import { AccountErasure, LastOwnerErasedError } from '../../orgs';
import { type Counts, PersonalData, type PersonalScope } from '../../personal-data';
import type { Erasure } from './erasure.entity';

/** What an erasure is about. */
export type ErasureAim = Pick<Erasure, 'userId' | 'orgId'>;

/** What an erasure does, as things stand. */
export interface ErasurePlan {
  readonly scope: PersonalScope;
  /** The organizations that the person is in, and leaves; in the order of their locks. */
  readonly leaves: readonly string[];
}

/** What erasures would do, and what stands in their way. */
@Injectable()
export class ErasurePlans {
  constructor(
    private readonly accounts: AccountErasure,
    private readonly holds: LegalHolds,
    private readonly personal: PersonalData,
  ) {}

  /** @returns null for who was erased before, or never was */
  async of(transaction: EntityManager, { userId, orgId }: ErasureAim): Promise<ErasurePlan | null> {
    const account = await this.accounts.find(transaction, userId);
    if (account === null || account.erasedAt !== null) return null;
    const orgIds = await this.accounts.organizationsOf(transaction, userId);
    const isOnlyThere = orgIds.every((id) => id === orgId);
    // What another organization holds of a former member is theirs by the account.
    const ofAccount =
      orgId === null || (isOnlyThere && !(await this.holds.isPersonHeld(transaction, userId, null)));
    return {
      scope: { userId, orgId, ofAccount, email: account.email },
      leaves: orgIds.filter((id) => orgId === null || id === orgId),
    };
  }

  /** As {@link of}, with all of it locked until the transaction ends. */
  async locked(transaction: EntityManager, aim: ErasureAim): Promise<ErasurePlan | null> {
    const before = await this.of(transaction, aim);
    const orgIds = new Set([...(before?.leaves ?? []), ...(aim.orgId === null ? [] : [aim.orgId])]);
    await this.accounts.lock(transaction, [...orgIds].sort(), aim.userId);
    return this.of(transaction, aim);
  }

  /** Whether a legal hold is in the way. */
  isHeld(transaction: EntityManager, { userId, orgId }: ErasureAim): Promise<boolean> {
    return this.holds.isPersonHeld(transaction, userId, orgId);
  }

  /** Asserts that every organization keeps an owner while others are in it. @throws LastOwnerErasedError */
  async checkLeaving(transaction: EntityManager, { scope, leaves }: ErasurePlan): Promise<void> {
    for (const orgId of leaves) await this.accounts.checkLeaving(transaction, orgId, scope.userId);
  }

  /** As {@link checkLeaving}. @returns whether one would have none */
  async leavesNoOwner(transaction: EntityManager, plan: ErasurePlan): Promise<boolean> {
    try {
      await this.checkLeaving(transaction, plan);
      return false;
    } catch (error) {
      if (error instanceof LastOwnerErasedError) return true;
      throw error;
    }
  }

  /** Ends what the person is: from here on nobody acts as them. */
  async leave(transaction: EntityManager, { scope, leaves }: ErasurePlan): Promise<void> {
    for (const orgId of leaves) await this.accounts.leave(transaction, orgId, scope.userId);
    if (scope.ofAccount) await this.accounts.endAccount(transaction, scope.userId);
  }

  /** How much there is of everything. */
  async counts(scope: PersonalScope): Promise<Counts> {
    const all: Record<string, number> = {};
    for (const part of this.personal.parts()) Object.assign(all, await part.count(scope));
    return all;
  }
}
