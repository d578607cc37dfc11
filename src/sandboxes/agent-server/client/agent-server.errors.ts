import { ServiceUnavailableError } from '../../../kernel/common';

/** Any failing call to an agent server; seen from outside it is a 503 (docs/contract.md#send-message-errors). */
export abstract class AgentServerError extends ServiceUnavailableError {}

/** The agent server gave no response: nobody listens, it timed out, or the connection broke. */
export class AgentServerUnavailableError extends AgentServerError {
  /**
   * @param mayHaveArrived false when the request certainly never left: then it is safe to send it again
   * @param reason for logs: a short technical word such as `ECONNREFUSED` or `timeout`
   */
  constructor(
    readonly mayHaveArrived: boolean,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super('The agent server did not answer.', 'agent_server_unavailable', 1, options);
  }
}

/** The agent server's response has more bytes, or more values, than are read of its kind. */
export class AgentServerResponseTooLargeError extends AgentServerUnavailableError {
  constructor(options?: ErrorOptions) {
    super(true, 'answer too large', options);
  }
}

/** The agent server runs as many agents as it may (429): the same call works once one of them has ended. */
export class AgentServerBusyError extends AgentServerError {
  /** @param reason what the agent server said, shortened, without the key */
  constructor(readonly reason: string) {
    super('The agent server runs as many agents as it may.', 'agent_server_unavailable', 1);
  }
}

/** The agent server answered that it will not do it (3xx or another 4xx); repeating the call does not help. */
export class AgentServerRefusedError extends AgentServerError {
  /** @param reason what the agent server said, shortened, without the key */
  constructor(
    readonly responseStatus: number,
    readonly reason: string,
  ) {
    super(`The agent server refused the call with status ${responseStatus}.`, 'agent_server_refused');
  }
}

/** The agent server failed (5xx), or answered something that is not its protocol. */
export class AgentServerFailedError extends AgentServerError {
  /** @param reason what the agent server said, shortened, without the key */
  constructor(
    readonly responseStatus: number,
    readonly reason: string,
  ) {
    super(`The agent server failed with status ${responseStatus}.`, 'agent_server_failed');
  }
}

/** The event after which the log was to be read is not in the conversation's log. */
export class EventMarkUnknownError extends AgentServerError {
  constructor() {
    super('The agent server does not know the event to continue after.', 'agent_server_event_unknown');
  }
}
