import { AppError, appError } from '../../../kernel/common';

/** 404: the id names a conversation or start task that is not the caller's, or one that is gone. */
export const QueueNotFoundError = appError(404, 'conversation_not_found', 'There is no such conversation.');

/** 404: the queue has no such message, or it was cancelled. */
export const MessageNotFoundError = appError(404, 'message_not_found', 'The queue holds no such message.');

/** 409: the message is being delivered, was delivered or has failed. */
export class MessageNotQueuedError extends AppError {
  constructor(state: string) {
    super(
      409,
      'message_not_queued',
      `The message is ${state}: only queued ones can be changed or cancelled.`,
    );
  }
}

/** 429: the caller has too many queues whose conversations do not exist yet (docs/contract.md#queue-ids). */
export class TooManyEarlyQueuesError extends AppError {
  constructor(limit: number) {
    super(
      429,
      'too_many_early_queues',
      `At most ${limit} ids without a conversation can have messages waiting; start those conversations first.`,
      { 'Retry-After': '60' },
    );
  }
}

/** 400: the id is longer than any that is stored. */
export class IdTooLongError extends AppError {
  constructor(limit: number) {
    super(400, 'conversation_id_too_long', `The id of a conversation has at most ${limit} characters.`);
  }
}

/** 409: the new order does not name exactly the messages that are queued. */
export const OrderMismatchError = appError(
  409,
  'order_mismatch',
  'The order must name every queued message once; read the queue again.',
);

/** 409: the new order puts another message before the one that the conversation begins with. */
export const InitialMessageFirstError = appError(
  409,
  'initial_message_first',
  'The conversation begins with its initial message: nothing can be delivered before it.',
);

/** 413: messages for an id that no conversation has yet are too large together (docs/contract.md#queue-limit). */
export class EarlyQueueBytesError extends AppError {
  constructor(mebibytes: number) {
    super(
      413,
      'early_queue_bytes_exceeded',
      `At most ${mebibytes} MiB of messages can wait for a conversation that does not exist yet.`,
    );
  }
}
