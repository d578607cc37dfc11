import { Clock } from '../../common';
import { type ReceivedEvent } from '../storage/received-event';
import { TransientEvents } from './transient-events';
/** What a call of an agent server carries. */
export interface InboundBatch {
    /** To be stored. */
    readonly events: readonly ReceivedEvent[];
    /** JSON texts of what is passed on only. */
    readonly transient: readonly string[];
}
/** Reads the events of agent servers' calls. */
export declare class InboundBatches {
    private readonly clock;
    private readonly transient;
    private readonly log;
    constructor(clock: Clock, transient: TransientEvents);
    /**
     * @param body the JSON text of an array of events
     * @throws MalformedCallError for one without any event
     */
    read(body: string): InboundBatch;
    /** Passes on what is not stored. */
    pass(conversationId: string, { transient }: InboundBatch): void;
}
