import { AppError, ServiceUnavailableError } from '../common';

/** 503: no answer of the service for automations that could be passed on. */
export class AutomationsUnavailableError extends ServiceUnavailableError {
  /** @param reason for logs */
  constructor(readonly reason: string) {
    super('The service for automations does not answer.', 'automations_unavailable');
  }
}

/** 403: automations run with what their member keeps, which whoever the link of an administrator let in does not get. */
export class AutomationsNotByLinkError extends AppError {
  constructor() {
    super(
      403,
      'signed_in_by_link',
      'You were let in by the link of an administrator: for automations sign in by mail or with a key of your own.',
    );
  }
}
