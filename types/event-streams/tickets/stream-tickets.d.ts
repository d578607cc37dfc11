import { DataSource } from 'typeorm';
import { type Caller, type TicketMaker, TicketRedeemer } from '../../auth';
import { JobHandlers } from '../../jobs';
/** A ticket as its maker gets it, this once. */
export interface NewTicket {
    readonly ticket: string;
    readonly expiresAt: Date;
}
/**
 * Tickets with which browsers open streams, since their EventSource sends no headers: each once, within a minute, for
 * one stream (docs/streams.md#tickets). Only digests are stored.
 */
export declare class StreamTickets extends TicketRedeemer {
    private readonly database;
    constructor(database: DataSource, handlers: JobHandlers);
    /** Makes a ticket for a caller. @param subject what it is for */
    make({ keyId, sessionId }: Pick<Caller, 'keyId' | 'sessionId'>, subject: string): Promise<NewTicket>;
    redeem(ticket: string, subject: string): Promise<TicketMaker | null>;
}
