import { DataSource } from 'typeorm';
import type { SandboxCaller } from '../../auth';
import { ConversationReports } from '../../conversations';
import { SandboxLifecycle } from '../../sandboxes';
import { ConversationRefresh } from '../state/conversation-refresh';
import { EventRepository } from '../storage/event.repository';
import { InboundBatches } from './inbound-batches';
import { InboundConversations } from './inbound-conversations';
/** Takes the calls of agent servers; what they report is stored when it returns (docs/contract.md#inbound-webhooks). */
export declare class InboundService {
    private readonly database;
    private readonly admission;
    private readonly events;
    private readonly conversations;
    private readonly refresh;
    private readonly lifecycle;
    private readonly batches;
    constructor(database: DataSource, admission: InboundConversations, events: EventRepository, conversations: ConversationReports, refresh: ConversationRefresh, lifecycle: SandboxLifecycle, batches: InboundBatches);
    /**
     * @param conversation its id as the path has it
     * @param body the JSON text of an array of events
     * @throws ForeignConversationError, MalformedCallError
     */
    takeEvents(sandbox: SandboxCaller, conversation: string, body: string): Promise<void>;
    /**
     * @param info a conversation as its agent server describes it
     * @throws ForeignConversationError, MalformedCallError
     */
    takeConversation(sandbox: SandboxCaller, info: unknown): Promise<void>;
    /** What its agents report is a use of a sandbox: they are at work. */
    private touch;
}
