import { AppError } from '../../../kernel/common';

/** 429: the queue is full (docs/contract.md#queue-limit). */
export class QueueFullError extends AppError {
  constructor(limit: number) {
    super(
      429,
      'too_many_pending_messages',
      `At most ${limit} messages can wait for a conversation; try again when some were delivered.`,
      { 'Retry-After': '5' },
    );
  }
}

/** 409: the conversation of the queue can never run again. */
export class QueueClosedError extends AppError {
  constructor(reason: string) {
    super(409, 'conversation_cannot_run', `The conversation cannot take messages any more: ${reason}`);
  }
}

/** 429: the undelivered messages of the user are too large together (docs/contract.md#queue-limit). */
export class UserMessageBytesError extends AppError {
  constructor(mebibytes: number) {
    super(
      429,
      'user_message_bytes_exceeded',
      `At most ${mebibytes} MiB of your messages can wait; try again when some were delivered.`,
      { 'Retry-After': '60' },
    );
  }
}

/** 429: the undelivered messages of the organization are too large together (docs/contract.md#queue-limit). */
export class OrganizationMessageBytesError extends AppError {
  constructor(mebibytes: number) {
    super(
      429,
      'organization_message_bytes_exceeded',
      `At most ${mebibytes} MiB of messages of the organization can wait; try again when some were delivered.`,
      { 'Retry-After': '60' },
    );
  }
}
