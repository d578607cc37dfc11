import { DataSource } from 'typeorm';
import { AgentServerClient } from '../../agent-server';
import { Clock } from '../../common';
import type { ConversationRow } from '../../conversations';
import { SandboxReader, WaitingCalls } from '../../sandboxes';
import { EventRepository } from '../storage/event.repository';
/** Asks agent servers for events that are not stored yet. */
export declare class EventLookUp {
    private readonly database;
    private readonly events;
    private readonly sandboxes;
    private readonly agentServers;
    private readonly waiting;
    private readonly clock;
    constructor(database: DataSource, events: EventRepository, sandboxes: SandboxReader, agentServers: AgentServerClient, waiting: WaitingCalls, clock: Clock);
    /**
     * Fetches an event while the sandbox runs, and stores it.
     * @returns its JSON text; null when there is none
     * @throws EventLookUpFailedError, TooManyWaitingCallsError
     */
    fetch(conversation: ConversationRow, eventId: string): Promise<string | null>;
}
