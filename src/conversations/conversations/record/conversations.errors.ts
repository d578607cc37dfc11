import { AppError, appError } from '../../../kernel/common';

/** 404: no such conversation, or none the caller may know of. */
export const ConversationNotFoundError = appError(
  404,
  'conversation_not_found',
  'There is no such conversation.',
);

/** 409: the id a client chose for a new conversation is taken (docs/contract.md#start-request). */
export const ConversationIdInUseError = appError(
  409,
  'conversation_id_in_use',
  'A conversation with this id exists already.',
);

/** 404: the conversation a new one should belong to is not the caller's (docs/contract.md#start-request). */
export const ParentNotFoundError = appError(
  404,
  'parent_conversation_not_found',
  'There is no such parent conversation.',
);

/** 404: the sandbox to run in is not the caller's, or the conversation's is unknown. */
export const SandboxNotFoundError = appError(404, 'sandbox_not_found', 'There is no such sandbox.');

/** 400: a conversation was to be readable for everybody (docs/contract.md#start-request). */
export const SharingNotSupportedError = appError(
  400,
  'sharing_not_supported',
  'Conversations cannot be shared with the public: leave public false.',
);

/** 400: something was asked for that conversations cannot start with (docs/contract.md#start-request). */
export class StartFieldNotSupportedError extends AppError {
  /** @param field of the request */
  constructor(field: string) {
    super(400, 'start_field_not_supported', `${field} is not supported: leave it out, or empty.`);
  }
}

/** 400: no clone could ever take this as a repository (docs/contract.md#addresses-of-repositories). */
export class RepositoryAddressInvalidError extends AppError {
  /** @param reason a clause that repeats nothing of the address */
  constructor(reason: string) {
    super(400, 'repository_address_invalid', `selected_repository cannot be used: ${reason}.`);
  }
}

/** 400: a change was asked for of what counts at the start only (docs/contract.md#conversation-record). */
export class OnlyAtStartError extends AppError {
  /** @param field of the request */
  constructor(field: string) {
    super(
      400,
      'only_at_start',
      `${field} counts when a conversation starts, and does not change afterwards.`,
    );
  }
}

/** 400: a suggested task was given beside an initial message, and both make the first one (docs/contract.md#start-request). */
export const SuggestedTaskWithMessageError = appError(
  400,
  'suggested_task_with_message',
  'A suggested task makes the initial message: give either of them.',
);

/** 400: the initial message is not the user's (docs/contract.md#start-request). */
export const RoleNotSupportedError = appError(
  400,
  'role_not_supported',
  'An initial message can only have the role user.',
);
