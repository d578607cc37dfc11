import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RequestIdentity, setIdentity } from '../../../kernel/auth';
import { noteAddress } from '../../../kernel/http';
import { rateLimitHeaders, type RateLimitStatus } from '../../../kernel/request-limits';
import type { DoorTarget } from '../admission/door-target';

/** A request through the door, and what is known of it so far. */
export class DoorRequest {
  /** Where its caller stands in the door's bucket; null where that has no limit, or while it is unknown. */
  standing: RateLimitStatus | null = null;
  /** Null while it is unknown. */
  identity: RequestIdentity | null = null;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly target: DoorTarget,
    /** From where it comes. */
    readonly address: string,
  ) {}

  /** Tells those who answer or log the request in place of the door. */
  handOver(): void {
    const { request, response, address, identity, standing } = this;
    noteAddress(request, address);
    if (identity !== null) setIdentity(request, identity);
    if (standing === null || response.headersSent) return;
    for (const [name, value] of Object.entries(rateLimitHeaders(standing))) response.setHeader(name, value);
  }
}
