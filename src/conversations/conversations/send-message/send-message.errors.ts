import { ServiceUnavailableError, appError } from '../../../kernel/common';
import { ValidationError } from '../../../kernel/validation';

/** 410: the conversation is archived; its sandbox no longer exists (docs/contract.md#send-message-errors). */
export const ConversationArchivedError = appError(
  410,
  'conversation_archived',
  'The conversation is archived: its sandbox no longer exists.',
);

/** 400: a message may wake a sandbox only for a run of the agent (docs/contract.md#waking-a-sandbox). */
export const RunRequiredToWakeError = appError(
  400,
  'run_required_to_wake',
  'A message for which the sandbox may be resumed runs the agent: leave out run: false, or wait=resume.',
);

/**
 * 503: the agent server did not take the message, or did not say whether it did
 * (docs/contract.md#send-message-errors).
 */
export class MessageNotSentError extends ServiceUnavailableError {
  /** @param mayHaveArrived whether the agent server may have the message all the same */
  constructor(
    reason: string,
    private readonly mayHaveArrived: boolean,
  ) {
    super(`The agent server is unavailable: ${reason}`, 'agent_server_unavailable', 5);
  }

  override get mayHaveTakenEffect(): boolean {
    return this.mayHaveArrived;
  }
}

/** 422: the agent server finds the message malformed (docs/contract.md#send-message-errors). */
export function messageRefused(reason: string): ValidationError {
  return new ValidationError([{ type: 'value_error', loc: ['body'], msg: reason, input: null }]);
}

/** 404: the agent server does not know the conversation (docs/contract.md#send-message-errors). */
export const UnknownToAgentServerError = appError(
  404,
  'conversation_unknown_to_agent_server',
  'The agent server does not know this conversation.',
);
