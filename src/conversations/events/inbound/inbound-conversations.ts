import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { SandboxCaller } from '../../../kernel/auth';
import { ConversationReports, type ReportedConversation } from '../../conversations';
import { SandboxDrivers } from '../../../sandboxes/sandboxes';
import { ForeignConversationError } from '../storage/events.errors';

/**
 * Finds the conversation that an agent server reports on, and checks that it may
 * (docs/contract.md#inbound-webhooks).
 */
@Injectable()
export class InboundConversations {
  constructor(
    private readonly conversations: ConversationReports,
    private readonly drivers: SandboxDrivers,
  ) {}

  /**
   * Makes sure that the conversation is one of the sandbox; one the service does not know becomes a record
   * of the sandbox's creator and organization.
   * @returns the sandbox that it is in, null without one
   * @throws ForeignConversationError
   */
  async admit(
    transaction: EntityManager,
    sandbox: SandboxCaller,
    conversationId: string,
  ): Promise<string | null> {
    const known = await this.conversations.find(conversationId, transaction);
    if (known !== undefined) return this.checkOwner(known, sandbox);
    if (sandbox.sandboxId === null || sandbox.orgId === null || sandbox.createdByUserId === null)
      throw new ForeignConversationError();
    const { sandboxId, orgId, createdByUserId } = sandbox;
    await this.conversations.adopt(transaction, { conversationId, sandboxId, orgId, createdByUserId });
    const made = await this.conversations.find(conversationId, transaction);
    if (made === undefined) throw new ForeignConversationError();
    return this.checkOwner(made, sandbox);
  }

  /**
   * As {@link admit}, of a conversation that the service knows, without a transaction.
   * @returns undefined for one that it does not know
   */
  async admitKnown(sandbox: SandboxCaller, conversationId: string): Promise<string | null | undefined> {
    const known = await this.conversations.find(conversationId);
    return known && this.checkOwner(known, sandbox);
  }

  /**
   * A server that serves several sandboxes may report on its organization's conversations there
   * (docs/contract.md#sandbox-drivers).
   */
  private checkOwner(known: ReportedConversation, sandbox: SandboxCaller): string | null {
    const isOwn =
      sandbox.sandboxId === null
        ? known.driver !== null &&
          this.drivers.sharesServer(known.driver) &&
          (sandbox.orgId === null || sandbox.orgId === known.orgId)
        : known.sandboxId === sandbox.sandboxId;
    if (!isOwn || known.ended) throw new ForeignConversationError();
    return known.sandboxId;
  }
}
