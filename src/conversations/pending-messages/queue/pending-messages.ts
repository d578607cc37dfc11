import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../../../kernel/auth';
import type { Page } from '../../../kernel/common';
import { checkGiven } from '../../../kernel/validation';
import type { GivenContentBlock } from '../../conversations';
import type { MessageMode } from '../record/message.enums';
import {
  PendingMessageRequest,
  type PendingMessageResponse,
  type QueuedMessage,
  QueueQuery,
} from './pending-messages.dto';
import { PendingMessagesService } from './pending-messages.service';

/** A message to queue, as the body of `POST /api/v1/conversations/{conversation_id}/pending-messages`. */
export interface GivenMessage {
  readonly content: readonly GivenContentBlock[];
  /** `steer` where it is left out. */
  readonly mode?: MessageMode;
}

/**
 * Messages that wait for their conversations, from inside (docs/extending.md#from-inside): a user has the queues of their own
 * conversations, and of those to come; the service those of all conversations of its organization, whose messages are their
 * creators’ and count towards the limits of these.
 */
@Injectable()
export class PendingMessages {
  constructor(private readonly messages: PendingMessagesService) {}

  /**
   * Queues a message; it goes out as soon as the conversation takes it.
   * @param transaction the caller's: it goes out once that commits
   * @throws QueueNotFoundError, QueueClosedError, QueueFullError, TooManyEarlyQueuesError, UserMessageBytesError,
   *   OrganizationMessageBytesError, ValidationError
   */
  async queue(
    actor: Actor,
    conversation: string,
    message: GivenMessage,
    transaction?: EntityManager,
  ): Promise<PendingMessageResponse> {
    const { content, mode } = checkGiven(PendingMessageRequest, message);
    const text = JSON.stringify(content);
    return transaction === undefined
      ? this.messages.add(actor, conversation, text, mode)
      : this.messages.addIn(transaction, actor, conversation, { content: text, mode });
  }

  /** Those of some states, first to be delivered first. @throws QueueNotFoundError, PageIdInvalidError, ValidationError */
  async list(
    actor: Actor,
    conversation: string,
    query: Partial<QueueQuery> = {},
  ): Promise<Page<QueuedMessage>> {
    const { state, page_id: pageId } = checkGiven(QueueQuery, query);
    return this.messages.listRecords(actor, conversation, state, pageId);
  }

  /** Takes a message back that is not on its way. @throws QueueNotFoundError, MessageNotFoundError, MessageNotQueuedError */
  async cancel(actor: Actor, conversation: string, messageId: string): Promise<void> {
    await this.messages.cancel(actor, conversation, messageId);
  }
}
