import { Repository } from 'typeorm';
import { JobHandlers } from '../jobs';
import { IdempotencyKey } from './idempotency-key.entity';
/** A request with a key: the user, the key in its scope, and the body, as digests. */
export interface KeyedRequest {
    readonly userId: string;
    readonly keyDigest: string;
    /** Under which an earlier request may have come with the same key. */
    readonly earlierDigests: readonly string[];
    readonly requestDigest: string;
}
/** The state of an earlier request with the key. */
export type EarlierRequest = {
    readonly kind: 'none';
} | {
    readonly kind: 'other' | 'working' | 'unknown';
} | {
    readonly kind: 'answered';
    readonly status: number;
    readonly answer: string;
};
/** Stores which request used which key, and its response. */
export declare class IdempotencyStore {
    private readonly keys;
    constructor(keys: Repository<IdempotencyKey>, handlers: JobHandlers);
    /** Claims the key for a request. @returns `none` when the request is the first, and is to be worked on */
    begin(request: KeyedRequest): Promise<EarlierRequest>;
    private stateOf;
    /** Records the response of a request. */
    recordResponse(request: KeyedRequest, status: number, answer: string): Promise<void>;
    /** Records that the request may have had its effect. */
    recordUnknown(request: KeyedRequest): Promise<void>;
    /** Releases the key of a request that had no effect. */
    release(request: KeyedRequest): Promise<void>;
    private deleteExpired;
}
