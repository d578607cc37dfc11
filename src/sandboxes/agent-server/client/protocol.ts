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

/** What a gateway in front of agent servers requires; agent servers do not see it. */
export interface Gateway {
  /** The version of these credentials: connections are replaced when it changes. */
  readonly version: string;
  readonly tls: GatewayTls;
  /** Names and values alternating, for each request. */
  readonly headers: readonly string[];
}

/** TLS options and client certificate for a gateway; the rest is as by default. */
export interface GatewayTls {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/**
 * A list of at most so many items; a longer one is not looked into, because each error found in it would take memory.
 */
export function listOf<Item extends z.ZodType>(item: Item, most: number) {
  const isShort = (value: unknown): boolean => Array.isArray(value) && value.length <= most;
  return z.custom<unknown[]>(isShort, `no list of at most ${most} items`).pipe(z.array(item));
}

/** As {@link listOf}, of an object with at most so many members. */
function dictionaryOf<Value extends z.ZodType>(value: Value, most: number) {
  const isShort = (given: unknown): boolean =>
    typeof given === 'object' && given !== null && Object.keys(given).length <= most;
  return z
    .custom<Record<string, unknown>>(isShort, `no object of at most ${most} members`)
    .pipe(z.record(z.string(), value));
}

/** Most items of what a response lists: pages have a hundred, and skills and tags are counted in dozens. */
const MAX_LISTED = 10_000;

/**
 * What is read of the agent server's responses. Schemas are lenient: fields not needed here are kept as they
 * came, and a missing optional field is not an error, so that newer servers keep working.
 */
export const serverInfoSchema = z.looseObject({
  title: z.string().default(''),
  version: z.string().default('unknown'),
  uptime: z.number().default(0),
  idle_time: z.number().default(0),
  capabilities: listOf(z.string(), MAX_LISTED).default([]),
});
export type ServerInfo = z.infer<typeof serverInfoSchema>;

/** The capability of an agent server that makes a conversation once, also when calls for its id come at once. */
export const IDEMPOTENT_START = 'idempotent_conversation_create_v1';

export const conversationInfoSchema = z.looseObject({
  /** Any UUID spelling: REST responses have hyphens, page tokens do not. */
  id: z.string(),
  execution_status: z.string().default('idle'),
  title: z.string().nullish(),
  tags: dictionaryOf(z.string(), MAX_LISTED).nullish(),
  stats: z.unknown().optional(),
  agent: z.unknown().optional(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});
export type ConversationInfo = z.infer<typeof conversationInfoSchema>;

export const agentEventSchema = z.looseObject({
  id: z.string(),
  kind: z.string(),
  source: z.string().optional(),
  /** Without a time zone: the server's local time. */
  timestamp: z.string(),
});
export type AgentEvent = z.infer<typeof agentEventSchema>;

export const eventPageSchema = z.object({
  items: listOf(agentEventSchema, MAX_LISTED),
  next_page_id: z.string().nullish(),
});

export const countSchema = z.number().int().nonnegative();

export const successSchema = z.looseObject({ success: z.boolean() });

export const bashOutputSchema = z.looseObject({
  exit_code: z.number().int().nullish(),
  stdout: z.string().nullish(),
  stderr: z.string().nullish(),
});

export const skillListSchema = z.looseObject({
  skills: listOf(z.looseObject({ name: z.string() }), MAX_LISTED).default([]),
  sources: dictionaryOf(z.number(), MAX_LISTED).default({}),
});
export type SkillList = z.infer<typeof skillListSchema>;

export const providerListSchema = z.looseObject({ providers: listOf(z.string(), MAX_LISTED) });

export const modelListSchema = z.looseObject({ models: listOf(z.string(), MAX_LISTED) });

/** Names by provider. */
export const verifiedModelsSchema = z.looseObject({
  models: dictionaryOf(listOf(z.string(), MAX_LISTED), MAX_LISTED),
});

/** What a working copy has changed. */
export const gitChangesSchema = z.array(z.looseObject({ status: z.string(), path: z.string() }));
export type GitChanges = z.infer<typeof gitChangesSchema>;

/** A file before and after its changes. */
export const gitDiffSchema = z.looseObject({
  modified: z.string().nullish(),
  original: z.string().nullish(),
});
export type GitFileDiff = z.infer<typeof gitDiffSchema>;

/** A FastAPI error body, as far as it names a reason. */
export const errorBodySchema = z.object({
  detail: z.unknown().optional(),
  exception: z.string().optional(),
});

/** The route of a conversation, which those of its log and of its agent begin with. */
export function conversationPath(conversationId: string): string {
  return `/api/conversations/${encodeURIComponent(conversationId)}`;
}
