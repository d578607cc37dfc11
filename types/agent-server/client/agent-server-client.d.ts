import { type OnApplicationShutdown } from '@nestjs/common';
import { ResponseBudget } from './exchange/response-budget';
import { EventCalls } from './event-calls';
import { ModelCalls } from './model-calls';
import { type CallOptions, type JsonCall } from './json-calls';
import { type AgentServer, type ConversationInfo, type ServerInfo } from './protocol';
import { type SendOutcome } from './send-outcome';
import { WorkspaceCalls } from './workspace-calls';
/** How a caller of `sendMessage` keeps control of the request. */
export interface SendControl {
    readonly signal?: AbortSignal | undefined;
    /** Called right before the first byte is written; when it throws, nothing is, and the outcome is `unavailable`. */
    readonly beforeWrite?: () => void;
}
/**
 * Speaks the agent server's protocol, for all agent servers there are: which one is an argument of each call.
 * Every method but `health`, `ready`, `acceptsKey` and `sendMessage` throws AgentServerUnavailableError when no response
 * came, AgentServerBusyError for a 429, AgentServerRefusedError for another 4xx and AgentServerFailedError for a 5xx or an unreadable response.
 */
export declare class AgentServerClient implements OnApplicationShutdown {
    /** What the responses that are being read hold in memory. */
    readonly budget: ResponseBudget;
    private readonly calls;
    private readonly probes;
    /** The logs of conversations. */
    readonly events: EventCalls;
    /** Calls to the sandbox that concern no conversation. */
    readonly workspace: WorkspaceCalls;
    /** The models that it can call. */
    readonly models: ModelCalls;
    /** Whether the agent server answers its health check. Never throws. */
    health(target: AgentServer, options?: CallOptions): Promise<boolean>;
    /** Whether the agent server has finished its start. Never throws. */
    ready(target: AgentServer, options?: CallOptions): Promise<boolean>;
    /**
     * Whether the agent server takes the key of a target. Never throws; one that does not answer takes none.
     */
    acceptsKey(target: AgentServer, options?: CallOptions): Promise<boolean>;
    /** The agent server's own description: title, version, seconds since its last work. */
    serverInfo(target: AgentServer, options?: CallOptions): Promise<ServerInfo>;
    /**
     * Starts a conversation. With a `conversation_id` that exists the agent server ignores the body and answers
     * what it has: `created` is false then.
     */
    startConversation(target: AgentServer, body: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<{
        created: boolean;
        info: ConversationInfo;
    }>;
    /** @returns null when the agent server has no such conversation */
    getConversation(target: AgentServer, conversationId: string, options?: CallOptions): Promise<ConversationInfo | null>;
    /** Sets title or tags; tags replace all that were there. @returns false for an unknown conversation */
    patchConversation(target: AgentServer, conversationId: string, changes: {
        readonly title?: string;
        readonly tags?: Readonly<Record<string, string>>;
    }, options?: CallOptions): Promise<boolean>;
    /** Waits for a running tool: interrupt first. @returns false when there was no such conversation */
    deleteConversation(target: AgentServer, conversationId: string, options?: CallOptions): Promise<boolean>;
    /** Runs the agent on what is in the conversation. */
    run(target: AgentServer, conversationId: string, options?: CallOptions): Promise<'started' | 'already_running' | 'not_found'>;
    /**
     * Stops the agent before its next step; it answers only when the tool that is running has ended.
     * @returns false for an unknown conversation
     */
    pause(target: AgentServer, conversationId: string, options?: CallOptions): Promise<boolean>;
    /** Stops the agent at once, in the middle of a tool too. @returns false for an unknown conversation */
    interrupt(target: AgentServer, conversationId: string, options?: CallOptions): Promise<boolean>;
    /** Hands over secrets, by name. @returns false for an unknown conversation */
    setSecrets(target: AgentServer, conversationId: string, secrets: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<boolean>;
    /**
     * Makes a call of somebody else's.
     * @returns its response, whatever the status, byte by byte
     */
    relay(target: AgentServer, call: Pick<JsonCall, 'method' | 'path' | 'rawBody' | 'timeoutMs' | 'signal'>): Promise<{
        readonly status: number;
        readonly bytes: Buffer;
    }>;
    /** Has a conversation go on with another model, which carries a usage id of its own. */
    switchLlm(target: AgentServer, conversationId: string, llm: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<void>;
    /** Has an agent that has models of its own go on with another one of them. */
    switchAcpModel(target: AgentServer, conversationId: string, model: string, options?: CallOptions): Promise<void>;
    /**
     * Sends a message to a conversation: the hot path, so the body is JSON text that goes out as it is
     * (`{role, content, run}`). While a tool runs the agent server answers only after it, and stores the
     * message then even if the caller has gone. Never throws for what the other side or the network does.
     */
    sendMessage(target: AgentServer, conversationId: string, rawBody: string, timeoutMs: number, { signal, beforeWrite }?: SendControl): Promise<SendOutcome>;
    /** Closes the connections when the service ends. */
    onApplicationShutdown(): Promise<void>;
    /** @returns the status of the response, or null when none came */
    private probe;
    private post;
}
