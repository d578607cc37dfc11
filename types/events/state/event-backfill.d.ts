import { DataSource } from 'typeorm';
import { AgentServerClient } from '../../agent-server';
import { Clock } from '../../common';
import { JobHandlers } from '../../jobs';
import { SandboxReader } from '../../sandboxes';
import { ConversationRefresh } from './conversation-refresh';
import { EventRepository } from '../storage/event.repository';
/**
 * Reads events from an agent server's log that it never posted: a killed one loses those that were waiting, so
 * everything after the last known event is read when its sandbox runs again.
 */
export declare class EventBackfill {
    private readonly database;
    private readonly events;
    private readonly sandboxes;
    private readonly agentServers;
    private readonly refresh;
    private readonly clock;
    private readonly logger;
    constructor(database: DataSource, events: EventRepository, sandboxes: SandboxReader, agentServers: AgentServerClient, refresh: ConversationRefresh, clock: Clock, handlers: JobHandlers);
    private fill;
    private readFrom;
    private store;
}
