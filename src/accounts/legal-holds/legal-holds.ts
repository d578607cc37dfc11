import { Injectable } from '@nestjs/common';
import type { SqlRunner } from '../../kernel/database';
import { anyConversationHeld, isPersonHeld, isSandboxHeld } from './held.read-model';
import { LegalHoldError } from './legal-holds.errors';

/**
 * What must not be deleted, for those who delete (docs/personal-data.md#legal-holds). Statements about many conversations ask
 * the function `is_held` of the database.
 */
@Injectable()
export class LegalHolds {
  /**
   * Whether any of some conversations is held; to be asked in the transaction that deletes them, after they are locked: no hold
   * begins before it ends.
   */
  areConversationsHeld(transaction: SqlRunner, ids: readonly string[]): Promise<boolean> {
    return anyConversationHeld(transaction, ids);
  }

  /** Asserts that neither a sandbox nor a conversation in it is held. @throws LegalHoldError */
  async checkSandbox(transaction: SqlRunner, sandboxId: string): Promise<void> {
    if (await isSandboxHeld(transaction, sandboxId)) throw new LegalHoldError();
  }

  /** Whether a person, or a conversation of theirs, is held. @param orgId in one organization; null for all */
  isPersonHeld(transaction: SqlRunner, userId: string, orgId: string | null): Promise<boolean> {
    return isPersonHeld(transaction, userId, orgId);
  }
}
