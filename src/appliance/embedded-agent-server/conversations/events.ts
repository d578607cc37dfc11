import { randomUUID } from 'node:crypto';
import type { StoredEvent } from './event-log';
import { z } from 'zod';

const textContent = z.strictObject({
  type: z.literal('text').default('text'),
  text: z.string(),
  cache_prompt: z.boolean().default(false),
});

/** The agent server ignores other keys of images, and refuses them of texts. */
const imageContent = z.object({
  type: z.literal('image').default('image'),
  image_urls: z.array(z.string()),
  cache_prompt: z.boolean().default(false),
});

const content = z.array(z.union([textContent, imageContent])).default([]);

const role = z.enum(['user', 'system', 'assistant', 'tool']);

/** What `POST …/events` takes. */
export const sendMessageSchema = z.object({
  role: role.default('user'),
  content,
  run: z.boolean().default(false),
});

/** What a client may send over a WebSocket; there the content may also be a plain text. */
export const socketMessageSchema = z.object({
  role,
  content: z.union([z.string().transform((text) => [textContent.parse({ text })]), content]),
});

export type UserMessage = z.infer<typeof socketMessageSchema>;
export type ContentBlock = UserMessage['content'][number];

/** The texts of a message, and what else it has. */
export function plainText(blocks: readonly ContentBlock[]): string {
  return blocks
    .map((block) => (block.type === 'text' ? block.text : `(${block.image_urls.length} image)`))
    .join('\n');
}

/** The fields of an event apart from those that every event has. */
export interface EventDraft {
  readonly source: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

let lastMicros = 0;

/** Completes a draft to an event with an id and a time that never goes back. */
export function completeEvent({ source, kind, ...rest }: EventDraft, parentId: string | null): StoredEvent {
  return { id: randomUUID(), timestamp: localTimestamp(), source, parent_id: parentId, ...rest, kind };
}

export function systemPromptEvent(prompt: string): EventDraft {
  return {
    source: 'agent',
    system_prompt: textBlock(prompt),
    tools: [],
    dynamic_context: null,
    kind: 'SystemPromptEvent',
  };
}

export function userMessageEvent(message: UserMessage): EventDraft {
  return messageEvent('user', message.role, message.content, null);
}

export function agentMessageEvent(text: string, responseId: string): EventDraft {
  return messageEvent('agent', 'assistant', [textBlock(text)], responseId);
}

export function stateUpdateEvent(key: string, value: unknown): EventDraft {
  return { source: 'environment', key, value, kind: 'ConversationStateUpdateEvent' };
}

/** The kind of an error: of the settings, or of something that may work again later. */
export type FailureKind = 'config' | 'auth' | 'rate_limit' | 'transient' | 'internal';

export function conversationErrorEvent(code: string, detail: string, kind: FailureKind): EventDraft {
  const retryable = kind === 'transient' || kind === 'rate_limit';
  const needsSettings = kind === 'config' || kind === 'auth';
  const userAction = needsSettings ? 'settings' : retryable ? 'retry' : 'none';
  const classification = { kind, retryable, user_action: userAction, error_id: null };
  return { source: 'environment', code, detail, classification, kind: 'ConversationErrorEvent' };
}

export function pauseEvent(): EventDraft {
  return { source: 'user', kind: 'PauseEvent' };
}

export function interruptEvent(): EventDraft {
  return { source: 'user', kind: 'InterruptEvent' };
}

/** Only sent over a WebSocket, never stored. */
export function serverErrorEvent(code: string, detail: string): EventDraft {
  return { source: 'environment', code, detail, kind: 'ServerErrorEvent' };
}

/** A copy without the fields that are null, at any depth: REST searches and WebSockets leave them out. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, withoutNulls(field)]),
  );
}

function messageEvent(
  source: string,
  role: string,
  content: unknown[],
  responseId: string | null,
): EventDraft {
  return {
    source,
    llm_message: {
      role,
      content,
      tool_calls: null,
      tool_call_id: null,
      name: null,
      reasoning_content: null,
      thinking_blocks: [],
      responses_reasoning_item: null,
    },
    llm_response_id: responseId,
    activated_skills: [],
    extended_content: [],
    sender: null,
    critic_result: null,
    kind: 'MessageEvent',
  };
}

function textBlock(text: string): { cache_prompt: boolean; type: 'text'; text: string } {
  return { cache_prompt: false, type: 'text', text };
}

/** Local time without a zone, to the microsecond, as Python's `datetime.now().isoformat()` gives it. */
function localTimestamp(): string {
  const micros = Math.max(Math.round((performance.timeOrigin + performance.now()) * 1000), lastMicros + 1);
  lastMicros = micros;
  const utc = new Date(Math.floor(micros / 1000));
  const local = new Date(utc.getTime() - utc.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1) + String(micros % 1000).padStart(3, '0');
}
