import type { Response } from 'express';
import { type Caller } from '../../auth';
import { ConversationAccess, ConversationPath } from '../../conversations';
import { EventStreams } from '../connections/event-streams';
import { ConversationStreamQuery, ResumeHeaders, StreamTicketResponse } from '../stream.dto';
import { ConversationTails } from '../tails/tails';
import { StreamTickets } from '../tickets/stream-tickets';
export declare class ConversationStreamController {
    private readonly access;
    private readonly streams;
    private readonly tails;
    private readonly tickets;
    constructor(access: ConversationAccess, streams: EventStreams, tails: ConversationTails, tickets: StreamTickets);
    streamConversationEvents(caller: Caller, path: ConversationPath, query: ConversationStreamQuery, headers: ResumeHeaders, response: Response): Promise<void>;
    createConversationStreamTicket(caller: Caller, path: ConversationPath, response: Response): Promise<StreamTicketResponse>;
}
