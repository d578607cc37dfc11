import { ServiceUnavailableError } from '../../kernel/common';

/** 503: no answer of the service for automations that could be passed on. */
export class AutomationsUnavailableError extends ServiceUnavailableError {
  /** @param reason for logs */
  constructor(readonly reason: string) {
    super('The service for automations does not answer.', 'automations_unavailable');
  }
}
