import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { SandboxCaller } from '../../auth';
import { DomainEvents } from '../../domain-events';
import { SandboxDrivers } from '../../sandboxes';
import { ForeignConversationError } from '../storage/events.errors';

interface KnownRow {
  readonly sandbox_id: string | null;
  readonly org_id: string;
  readonly driver: string | null;
  /** Deleted, or its start failed: whatever the agent server has under the id is another. */
  readonly ended: boolean;
}

/**
 * Finds the conversation that an agent server speaks of, and checks that it may
 * (docs/contract.md#inbound-webhooks).
 */
@Injectable()
export class InboundConversations {
  constructor(
    private readonly drivers: SandboxDrivers,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Makes sure that the conversation is one of the sandbox; one the service does not know becomes a record
   * of the sandbox's creator and organization.
   * @throws ForeignConversationError
   */
  async claim(transaction: EntityManager, sandbox: SandboxCaller, conversationId: string): Promise<void> {
    const known = await this.find(transaction, conversationId);
    if (known !== undefined) {
      this.checkOwner(known, sandbox);
      return;
    }
    if (sandbox.sandboxId === null || sandbox.orgId === null || sandbox.createdByUserId === null)
      throw new ForeignConversationError();
    const inserted = await transaction.query<unknown[]>(
      `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state, execution_status)
       VALUES ($1, $2, $3, $4, 'ready', 'idle') ON CONFLICT (id) DO NOTHING
       RETURNING id`,
      [conversationId, sandbox.orgId, sandbox.createdByUserId, sandbox.sandboxId],
    );
    const made = await this.find(transaction, conversationId);
    if (made === undefined) throw new ForeignConversationError();
    this.checkOwner(made, sandbox);
    if (inserted.length > 0)
      await this.events.publish(transaction, {
        kind: 'conversation.created',
        org_id: sandbox.orgId,
        conversation_id: conversationId,
        created_by_user_id: sandbox.createdByUserId,
        parent_conversation_id: null,
        sandbox_id: sandbox.sandboxId,
      });
  }

  private async find(transaction: EntityManager, id: string): Promise<KnownRow | undefined> {
    const [row] = await transaction.query<KnownRow[]>(
      `SELECT c.sandbox_id, c.org_id, s.driver, c.deleted_at IS NOT NULL OR c.start_state = 'failed' AS ended
         FROM conversations c LEFT JOIN sandboxes s ON s.id = c.sandbox_id WHERE c.id = $1`,
      [id],
    );
    return row;
  }

  /**
   * A server that serves several sandboxes speaks for its organization's conversations there
   * (docs/contract.md#sandbox-drivers).
   */
  private checkOwner(known: KnownRow, sandbox: SandboxCaller): void {
    const isOwn =
      sandbox.sandboxId === null
        ? known.driver !== null &&
          this.drivers.sharesServer(known.driver) &&
          (sandbox.orgId === null || sandbox.orgId === known.org_id)
        : known.sandbox_id === sandbox.sandboxId;
    if (!isOwn || known.ended) throw new ForeignConversationError();
  }
}
