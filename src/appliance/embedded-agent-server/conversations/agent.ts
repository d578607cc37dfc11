import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { LlmDefaults } from '../config/embedded-config';
import { type FailureKind, type ContentBlock, plainText } from './events';
import { callModel } from './model-calls';

const REPLY_TIMEOUT_MS = 300_000;

const ECHO_PROMPT = 'The embedded agent server has no model: it echoes what it is told.';
const CHAT_PROMPT =
  'You are an assistant in a chat. You have no tools: you cannot run commands or read files.';

/** One turn of a conversation, as the agent sees it. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
}

/** What a model counted for one answer. */
export interface Usage {
  readonly model: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cost: number;
}

interface Reply {
  readonly text: string;
  readonly responseId: string;
  readonly usage: Usage | null;
}

/** Answers a conversation. */
export interface Agent {
  readonly systemPrompt: string;
  /** @throws AgentFailure when there is no answer, and the signal's reason when it was aborted */
  reply(turns: readonly Turn[], signal: AbortSignal): Promise<Reply>;
}

/** Why there is no answer: what the ConversationErrorEvent says. */
export class AgentFailure extends Error {
  constructor(
    readonly code: string,
    detail: string,
    readonly kind: FailureKind,
  ) {
    super(detail);
    this.name = 'AgentFailure';
  }
}

/** The part of a start request that names the model. What else is set about it, secrets among it, is not kept. */
export const llmSchema = z.object({
  model: z.string(),
  usage_id: z.string().optional(),
  base_url: z.string().nullish(),
  api_key: z.string().nullish(),
  input_cost_per_token: z.number().nullish(),
  output_cost_per_token: z.number().nullish(),
});
export type Llm = z.infer<typeof llmSchema>;

/**
 * The agent of a conversation: a plain chat with an OpenAI-compatible model when one is named and can be
 * reached by an address or a key, an echo otherwise.
 * @param llm what the conversation asked for; what it leaves open comes from the defaults
 * @param suffix what it adds to the system prompt
 */
export function agentFor(llm: Llm | null, defaults: LlmDefaults, suffix: string | null): Agent {
  const { model, baseUrl, apiKey } = modelOf(llm, defaults);
  const prompt = (own: string): string => (suffix ? `${own}\n\n${suffix}` : own);
  if (!model || (!baseUrl && !apiKey)) return new EchoAgent(prompt(ECHO_PROMPT));
  const url = `${chatBase(model, baseUrl ?? 'https://api.openai.com/v1')}/chat/completions`;
  const chat = {
    model,
    url,
    isAllowed: (baseUrl !== undefined && isSameBase(baseUrl, defaults.baseUrl)) || isNamed(url, defaults),
    apiKey: apiKey ?? null,
    inputCost: llm?.input_cost_per_token ?? 0,
    outputCost: llm?.output_cost_per_token ?? 0,
  };
  return new ChatAgent(prompt(CHAT_PROMPT), chat);
}

function modelOf(llm: Llm | null, defaults: LlmDefaults): LlmDefaults {
  const { model, baseUrl, apiKey } = defaults;
  const ownBase = llm?.base_url ?? undefined;
  // The configured key is for the configured address, not for one that a caller chose.
  const isConfigured = ownBase === undefined || isSameBase(ownBase, baseUrl);
  return {
    model: llm?.model ?? model,
    baseUrl: ownBase ?? baseUrl,
    apiKey: llm?.api_key ?? (isConfigured ? apiKey : undefined),
  };
}

function isNamed(url: string, { allowedHosts }: LlmDefaults): boolean {
  if (allowedHosts === undefined || !URL.canParse(url)) return false;
  const { hostname, port, protocol } = new URL(url);
  return allowedHosts.allows(hostname, port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));
}

function isSameBase(one: string, other: string | undefined): boolean {
  return other !== undefined && trimmed(one) === trimmed(other);
}

/** The library of the real agent server takes the addresses of Anthropic's API without a version. */
function chatBase(model: string, baseUrl: string): string {
  const base = trimmed(baseUrl);
  return model.startsWith('anthropic/') && !/\/v\d+$/.test(base) ? `${base}/v1` : base;
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Echoes the message, and says that it is no model. */
class EchoAgent implements Agent {
  constructor(readonly systemPrompt: string) {}

  reply(turns: readonly Turn[]): Promise<Reply> {
    const since = turns.findLastIndex(({ role }) => role === 'assistant') + 1;
    const said = turns.slice(since).map(({ content }) => plainText(content));
    const text = `Echo from the embedded agent server: ${said.join('\n')}`;
    return Promise.resolve({ text, responseId: `echo-${randomUUID()}`, usage: null });
  }
}

interface ChatModel {
  /** With the provider before a slash, as it is configured and counted. */
  readonly model: string;
  readonly url: string;
  /** Whether the operator names it; another one must be at a public address. */
  readonly isAllowed: boolean;
  readonly apiKey: string | null;
  readonly inputCost: number;
  readonly outputCost: number;
}

const completionSchema = z.object({
  id: z.string().default(''),
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
  usage: z
    .object({ prompt_tokens: z.number().default(0), completion_tokens: z.number().default(0) })
    .nullish(),
});

/** Chats with a model: the whole history goes with each question, and there are no tools. */
class ChatAgent implements Agent {
  constructor(
    readonly systemPrompt: string,
    private readonly chat: ChatModel,
  ) {}

  async reply(turns: readonly Turn[], signal: AbortSignal): Promise<Reply> {
    const completion = await this.complete(turns, signal);
    const text = completion.choices[0]?.message.content ?? '';
    if (text.trim() === '')
      throw new AgentFailure('LLMNoResponseError', 'The model answered nothing.', 'transient');
    const promptTokens = completion.usage?.prompt_tokens ?? 0;
    const completionTokens = completion.usage?.completion_tokens ?? 0;
    const cost = promptTokens * this.chat.inputCost + completionTokens * this.chat.outputCost;
    const usage = { model: this.chat.model, promptTokens, completionTokens, cost };
    return { text, responseId: completion.id, usage };
  }

  private async complete(turns: readonly Turn[], signal: AbortSignal) {
    const { status, text } = await this.post(turns, signal);
    if (status !== 200) {
      const { code, kind } = failureOf(status);
      throw new AgentFailure(code, `The model answered ${status}: ${this.masked(text)}`, kind);
    }
    const parsed = completionSchema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    const detail = 'The model answered something that is no chat completion.';
    throw new AgentFailure('LLMMalformedResponseError', detail, 'config');
  }

  private async post(turns: readonly Turn[], signal: AbortSignal): Promise<{ status: number; text: string }> {
    try {
      return await callModel(this.chat, {
        headers: {
          'content-type': 'application/json',
          ...(this.chat.apiKey === null ? {} : { authorization: `Bearer ${this.chat.apiKey}` }),
        },
        body: JSON.stringify({ model: wireName(this.chat.model), messages: this.messages(turns) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(REPLY_TIMEOUT_MS)]),
      });
    } catch (error) {
      signal.throwIfAborted();
      const detail = `The model cannot be reached: ${networkReason(error)}`;
      throw new AgentFailure('LLMServiceUnavailableError', detail, 'transient');
    }
  }

  private messages(turns: readonly Turn[]): unknown[] {
    const system = { role: 'system', content: this.systemPrompt };
    return [system, ...turns.map(({ role, content }) => ({ role, content: content.flatMap(modelBlocks) }))];
  }

  private masked(text: string): string {
    const { apiKey } = this.chat;
    const shown = apiKey ? text.replaceAll(apiKey, '**********') : text;
    return shown.slice(0, 500);
  }
}

/** The name of a model as its server knows it: the provider, or that it is a proxy, is for the real agent server's library. */
function wireName(model: string): string {
  return model.replace(/^(?:openai|litellm_proxy)\//, '');
}

function modelBlocks(block: ContentBlock): unknown[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  return block.image_urls.map((url) => ({ type: 'image_url', image_url: { url } }));
}

function failureOf(status: number): { code: string; kind: FailureKind } {
  if (status === 401 || status === 403) return { code: 'LLMAuthenticationError', kind: 'auth' };
  if (status === 429) return { code: 'LLMRateLimitError', kind: 'rate_limit' };
  if (status < 500) return { code: 'LLMBadRequestError', kind: 'config' };
  return { code: 'LLMServiceUnavailableError', kind: 'transient' };
}

function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
