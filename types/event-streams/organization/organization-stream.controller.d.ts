import type { Response } from 'express';
import { type Caller } from '../../auth';
import { EventStreams } from '../connections/event-streams';
import { OrganizationStreamPath, OrganizationStreamQuery, ResumeHeaders, StreamTicketResponse } from '../stream.dto';
import { OrganizationTails } from '../tails/tails';
import { StreamTickets } from '../tickets/stream-tickets';
export declare class OrganizationStreamController {
    private readonly streams;
    private readonly tails;
    private readonly tickets;
    constructor(streams: EventStreams, tails: OrganizationTails, tickets: StreamTickets);
    streamOrganizationEvents(caller: Caller, { org_id: orgId }: OrganizationStreamPath, query: OrganizationStreamQuery, headers: ResumeHeaders, response: Response): Promise<void>;
    createOrganizationStreamTicket(caller: Caller, path: OrganizationStreamPath, response: Response): Promise<StreamTicketResponse>;
}
