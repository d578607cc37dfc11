import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RequestIdentity } from '../../auth';
import { type RateLimitStatus } from '../../request-limits';
import type { DoorTarget } from '../admission/door-target';
/** A request through the door, and what is known of it so far. */
export declare class DoorRequest {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly target: DoorTarget;
    /** From where it comes. */
    readonly address: string;
    /** Where its caller stands in the door's bucket; null where that has no limit, or while it is unknown. */
    standing: RateLimitStatus | null;
    /** Null while it is unknown. */
    identity: RequestIdentity | null;
    constructor(request: IncomingMessage, response: ServerResponse, target: DoorTarget, 
    /** From where it comes. */
    address: string);
    /** Tells those who answer or log the request in place of the door. */
    handOver(): void;
}
