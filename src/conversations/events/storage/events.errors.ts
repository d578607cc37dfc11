import { AppError, ServiceUnavailableError, appError } from '../../../kernel/common';

/** 404: the conversation has no such event. */
export const EventNotFoundError = appError(404, 'event_not_found', 'The conversation has no such event.');

/** 503: the event is not stored here and the agent server could not be asked for it. */
export class EventLookUpFailedError extends ServiceUnavailableError {
  constructor(cause: unknown) {
    super('The agent server could not be asked for the event.', 'agent_server_unavailable', 5, { cause });
  }
}

/**
 * 404: the conversation of a call is not one of the sandbox that makes it
 * (docs/contract.md#inbound-webhooks).
 */
export const ForeignConversationError = appError(
  404,
  'conversation_not_found',
  'This sandbox has no such conversation.',
);

/** 400: an agent server's call carries something else than what its protocol says. */
export class MalformedCallError extends AppError {
  constructor(detail: string) {
    super(400, 'malformed_call', detail);
  }
}

/** 409: the events of this conversation do not fit into an archive. */
export const TooManyEventsError = appError(
  409,
  'too_many_events',
  'The conversation has more than an archive holds, 65535 events or 4 GB; read them with events/search.',
);

/** 413: a note of an extension is too large to be an event. */
export const NoteTooLargeError = appError(413, 'note_too_large', 'A note has at most 64 KiB as JSON.');

/** 413: the events of the conversation are too large together (docs/contract.md#event-limits). */
export class ConversationEventBytesError extends AppError {
  constructor(mebibytes: number) {
    super(
      413,
      'conversation_event_bytes_exceeded',
      `At most ${mebibytes} MiB of events are stored of a conversation.`,
    );
  }
}

/** 413: the events of the organization are too large together (docs/contract.md#event-limits). */
export class OrganizationEventBytesError extends AppError {
  constructor(mebibytes: number) {
    super(
      413,
      'organization_event_bytes_exceeded',
      `At most ${mebibytes} MiB of events are stored of an organization.`,
    );
  }
}

/** Whether no more events are stored: retrying cannot succeed. */
export function isEventLimit(
  error: unknown,
): error is ConversationEventBytesError | OrganizationEventBytesError {
  return error instanceof ConversationEventBytesError || error instanceof OrganizationEventBytesError;
}
