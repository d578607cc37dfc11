import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { Actor, type Caller, OrgResolution, requireOwnSignIn, ServiceActor } from '../../../kernel/auth';
import { storableText } from '../../../kernel/common';
import { ConversationAccess } from '../../conversations';
import type { MessageQueue } from '../record/message-queue.entity';
import { readUuid } from '../../../kernel/validation';
import { OWNER } from './queue-context.read-model';
import { IdTooLongError, QueueNotFoundError } from '../record/pending-messages.errors';

const MAX_ID_LENGTH = 128;

/** Which queue a path names: that of a conversation, or one kept for the caller under an id of their choice. */
export type QueueRef =
  | {
      readonly kind: 'conversation';
      /** Its creator, who owns the messages. */
      readonly userId: string;
      readonly conversationId: string;
      readonly orgId: string;
    }
  | { readonly kind: 'early'; readonly userId: string; readonly key: string; readonly orgId: string };

/** Finds the queue of a ref. */
export function whereQueue(ref: QueueRef): FindOptionsWhere<MessageQueue> {
  return ref.kind === 'conversation'
    ? { conversationId: ref.conversationId }
    : { earlyKey: ref.key, orgId: ref.orgId, userId: ref.userId };
}

/**
 * Finds the queue behind the id of a path: all spellings of an id meet in one queue
 * (docs/contract.md#queue-ids).
 */
@Injectable()
export class QueueRefs {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly organizations: OrgResolution,
    private readonly conversations: ConversationAccess,
  ) {}

  /**
   * @param text a conversation's or start task's id in any UUID spelling, the task's also as `task-<32 hex>`,
   *   or any other text for a conversation that does not exist yet
   * @throws IdTooLongError, QueueNotFoundError, SignedInByLinkError, KeptByLinkError, and the errors of the effective organization for such a text
   */
  async find(caller: Caller | Actor, text: string, transaction?: EntityManager): Promise<QueueRef> {
    const { ref, isDeleted } = await this.named(caller, text, transaction);
    if (isDeleted) throw new QueueNotFoundError();
    if (caller.letInBy !== null && ref.kind === 'conversation')
      await this.conversations.owned(caller, ref.conversationId, transaction);
    return ref;
  }

  /** As {@link find}, for reading: deleted conversations count, too. */
  async findToRead(caller: Caller | Actor, text: string): Promise<QueueRef> {
    return (await this.named(caller, text)).ref;
  }

  private async named(
    caller: Caller | Actor,
    text: string,
    transaction?: EntityManager,
  ): Promise<{ readonly ref: QueueRef; readonly isDeleted: boolean }> {
    if (text.length > MAX_ID_LENGTH) throw new IdTooLongError(MAX_ID_LENGTH);
    const id = readUuid(text.replace(/^task-(?=[0-9a-f]{32}$)/i, ''));
    if (id === undefined) return this.early(caller, storableText(text));
    const [owner] = await (transaction === undefined
      ? OWNER.rows(this.database, [id])
      : OWNER.rowsIn(transaction, [id]));
    if (owner === undefined) return this.early(caller, id);
    const { created_by_user_id: userId } = owner;
    if (!(caller instanceof ServiceActor) && userId !== caller.userId) throw new QueueNotFoundError();
    if (!(await this.organizations.mayUse(caller, owner.org_id))) throw new QueueNotFoundError();
    return {
      ref: { kind: 'conversation', userId, conversationId: owner.conversation_id, orgId: owner.org_id },
      isDeleted: owner.deleted,
    };
  }

  /** One that is kept for the caller in the organization they act in, for a conversation that anybody who is them may start. */
  private async early(
    caller: Caller | Actor,
    key: string,
  ): Promise<{ readonly ref: QueueRef; readonly isDeleted: boolean }> {
    requireOwnSignIn(caller);
    const { userId } = caller;
    if (userId === null) throw new QueueNotFoundError();
    const { orgId } = await this.organizations.ofAsker(caller);
    return { ref: { kind: 'early', userId, key, orgId }, isDeleted: false };
  }
}
