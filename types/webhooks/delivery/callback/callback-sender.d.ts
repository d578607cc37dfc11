import { HttpService } from '@nestjs/axios';
import { Clock } from '../../../common';
import { CheckedAgents } from '../../addresses/checked-agents';
/** Milliseconds for the whole of a callback: name, connection, request and answer. */
export declare const TOTAL_MS = 15000;
/** One callback that is to be made. */
export interface Callback {
    readonly deliveryId: string;
    readonly url: string;
    readonly body: string;
    /** The current secret, and during a rotation the one before. */
    readonly secrets: readonly string[];
}
/** What came of a callback. */
export interface Attempt {
    readonly at: Date;
    readonly durationMs: number;
    /** Null when there was no answer. */
    readonly status: number | null;
    /** What went wrong; null for a success. */
    readonly error: string | null;
    /** The beginning of the answer's body. */
    readonly answer: string | null;
    readonly retryAfterMs: number | null;
}
/** Makes callbacks as Standard Webhooks describes them (docs/webhooks.md#signatures). */
export declare class CallbackSender {
    private readonly http;
    private readonly agents;
    private readonly clock;
    constructor(http: HttpService, agents: CheckedAgents, clock: Clock);
    /**
     * Makes one request.
     * @param signal cuts it off
     * @throws the reason of the signal, and nothing else
     */
    send(callback: Callback, signal: AbortSignal): Promise<Attempt>;
    private exchange;
    private request;
}
