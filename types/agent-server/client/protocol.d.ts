import { z } from 'zod';
/** Which agent server a call goes to, and the session key it takes. */
export interface AgentServer {
    /** `http://host:port`, without `/api`. */
    readonly baseUrl: string;
    readonly apiKey: string;
    /** The user whose listener it must be, where it is on this host; nothing is sent to another one's. */
    readonly listenerUid?: number | null;
    /** How it is reached where a gateway is in between. */
    readonly gateway?: Gateway | null;
}
/** What a gateway in front of agent servers wants of whoever passes; agent servers do not see it. */
export interface Gateway {
    /** Tells one state of these credentials from another: connections are made anew when it changes. */
    readonly version: string;
    readonly tls: GatewayTls;
    /** Names and values alternating, for each request. */
    readonly headers: readonly string[];
}
/** How TLS to a gateway is checked, and who calls; what is not given is as always. */
export interface GatewayTls {
    readonly ca?: string | Buffer;
    readonly cert?: string | Buffer;
    readonly key?: string | Buffer;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
}
/**
 * A list of at most so many items; a longer one is not looked into, because each fault found in it would take memory.
 */
export declare function listOf<Item extends z.ZodType>(item: Item, most: number): z.ZodPipe<z.ZodCustom<unknown[], unknown[]>, z.ZodArray<Item>>;
/**
 * What is read of the agent server's responses. Schemas are lenient: fields not needed here are kept as they
 * came, and a missing optional field is not an error, so that newer servers keep working.
 */
export declare const serverInfoSchema: z.ZodObject<{
    title: z.ZodDefault<z.ZodString>;
    version: z.ZodDefault<z.ZodString>;
    uptime: z.ZodDefault<z.ZodNumber>;
    idle_time: z.ZodDefault<z.ZodNumber>;
    capabilities: z.ZodDefault<z.ZodPipe<z.ZodCustom<unknown[], unknown[]>, z.ZodArray<z.ZodString>>>;
}, z.core.$loose>;
export type ServerInfo = z.infer<typeof serverInfoSchema>;
/** The capability of an agent server that makes a conversation once, also when calls for its id come at once. */
export declare const IDEMPOTENT_START = "idempotent_conversation_create_v1";
export declare const conversationInfoSchema: z.ZodObject<{
    id: z.ZodString;
    execution_status: z.ZodDefault<z.ZodString>;
    title: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    tags: z.ZodOptional<z.ZodNullable<z.ZodPipe<z.ZodCustom<Record<string, unknown>, Record<string, unknown>>, z.ZodRecord<z.ZodString, z.ZodString>>>>;
    stats: z.ZodOptional<z.ZodUnknown>;
    agent: z.ZodOptional<z.ZodUnknown>;
    created_at: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    updated_at: z.ZodOptional<z.ZodNullable<z.ZodString>>;
}, z.core.$loose>;
export type ConversationInfo = z.infer<typeof conversationInfoSchema>;
export declare const agentEventSchema: z.ZodObject<{
    id: z.ZodString;
    kind: z.ZodString;
    source: z.ZodOptional<z.ZodString>;
    timestamp: z.ZodString;
}, z.core.$loose>;
export type AgentEvent = z.infer<typeof agentEventSchema>;
export declare const eventPageSchema: z.ZodObject<{
    items: z.ZodPipe<z.ZodCustom<unknown[], unknown[]>, z.ZodArray<z.ZodObject<{
        id: z.ZodString;
        kind: z.ZodString;
        source: z.ZodOptional<z.ZodString>;
        timestamp: z.ZodString;
    }, z.core.$loose>>>;
    next_page_id: z.ZodOptional<z.ZodNullable<z.ZodString>>;
}, z.core.$strip>;
export declare const countSchema: z.ZodNumber;
export declare const successSchema: z.ZodObject<{
    success: z.ZodBoolean;
}, z.core.$loose>;
export declare const bashOutputSchema: z.ZodObject<{
    exit_code: z.ZodOptional<z.ZodNullable<z.ZodNumber>>;
    stdout: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    stderr: z.ZodOptional<z.ZodNullable<z.ZodString>>;
}, z.core.$loose>;
export declare const skillListSchema: z.ZodObject<{
    skills: z.ZodDefault<z.ZodPipe<z.ZodCustom<unknown[], unknown[]>, z.ZodArray<z.ZodObject<{
        name: z.ZodString;
    }, z.core.$loose>>>>;
    sources: z.ZodDefault<z.ZodPipe<z.ZodCustom<Record<string, unknown>, Record<string, unknown>>, z.ZodRecord<z.ZodString, z.ZodNumber>>>;
}, z.core.$loose>;
export type SkillList = z.infer<typeof skillListSchema>;
export declare const providerListSchema: z.ZodObject<{
    providers: z.ZodPipe<z.ZodCustom<unknown[], unknown[]>, z.ZodArray<z.ZodString>>;
}, z.core.$loose>;
export declare const modelListSchema: z.ZodObject<{
    models: z.ZodPipe<z.ZodCustom<unknown[], unknown[]>, z.ZodArray<z.ZodString>>;
}, z.core.$loose>;
/** Names by provider. */
export declare const verifiedModelsSchema: z.ZodObject<{
    models: z.ZodPipe<z.ZodCustom<Record<string, unknown>, Record<string, unknown>>, z.ZodRecord<z.ZodString, z.ZodPipe<z.ZodCustom<unknown[], unknown[]>, z.ZodArray<z.ZodString>>>>;
}, z.core.$loose>;
/** What a working copy has changed. */
export declare const gitChangesSchema: z.ZodArray<z.ZodObject<{
    status: z.ZodString;
    path: z.ZodString;
}, z.core.$loose>>;
export type GitChanges = z.infer<typeof gitChangesSchema>;
/** A file before and after its changes. */
export declare const gitDiffSchema: z.ZodObject<{
    modified: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    original: z.ZodOptional<z.ZodNullable<z.ZodString>>;
}, z.core.$loose>;
export type GitFileDiff = z.infer<typeof gitDiffSchema>;
/** A FastAPI error body, as far as it says why. */
export declare const errorBodySchema: z.ZodObject<{
    detail: z.ZodOptional<z.ZodUnknown>;
    exception: z.ZodOptional<z.ZodString>;
}, z.core.$strip>;
