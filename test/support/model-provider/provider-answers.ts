import type { ServerResponse } from 'node:http';
import { isRecord } from '../../../src/kernel/common';

/** The protocols that the provider speaks. */
export type SpokenProtocol = 'chat' | 'responses' | 'embeddings' | 'messages';

/** What an answer says, in every protocol. */
export interface Said {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  /** In place of the usage in the protocol's own form; null for none. */
  readonly usage?: unknown;
}

/** The answer in one piece. */
export function wholeAnswer(protocol: SpokenProtocol, said: Said): Record<string, unknown> {
  const { id, model, text } = said;
  const usage = usageOf(protocol, said);
  if (protocol === 'chat') {
    const message = { role: 'assistant', content: text, refusal: null };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
    return { id, object: 'chat.completion', created: 1, model, choices, ...usage };
  }
  if (protocol === 'messages')
    return {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      ...usage,
    };
  if (protocol === 'embeddings')
    return {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.25, -0.5] }],
      model,
      ...usage,
    };
  return responseOf(said, 'completed', usage);
}

/** The answer as events of a stream, each with its name where the protocol has those. */
export function streamedAnswer(
  protocol: SpokenProtocol,
  said: Said,
  includesUsage: boolean,
): { event?: string; data: string }[] {
  const words = said.text.match(/\s*\S+/g) ?? [];
  if (protocol === 'chat') return chatStream(said, words, includesUsage);
  return protocol === 'messages' ? messageStream(said, words) : responseStream(said, words);
}

/** Writes an event. @returns whether more may be written at once */
export function writeEvent(
  response: ServerResponse,
  { event, data }: { event?: string; data: string },
): boolean {
  return response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`);
}

function usageOf(protocol: SpokenProtocol, said: Said): { usage?: unknown } {
  const { promptTokens, completionTokens, cachedTokens, usage } = said;
  if (usage === null) return {};
  if (usage !== undefined) return { usage };
  const total = promptTokens + completionTokens;
  if (protocol === 'chat')
    return {
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: total,
        prompt_tokens_details: { cached_tokens: cachedTokens },
      },
    };
  if (protocol === 'embeddings')
    return { usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } };
  if (protocol === 'messages')
    return {
      usage: {
        input_tokens: promptTokens - cachedTokens,
        output_tokens: completionTokens,
        cache_read_input_tokens: cachedTokens,
        cache_creation_input_tokens: 0,
      },
    };
  return {
    usage: {
      input_tokens: promptTokens,
      output_tokens: completionTokens,
      total_tokens: total,
      input_tokens_details: { cached_tokens: cachedTokens },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
}

function chatStream(said: Said, words: readonly string[], includesUsage: boolean): { data: string }[] {
  const { id, model } = said;
  const head = { id, object: 'chat.completion.chunk', created: 1, model };
  const piece = (delta: unknown, finish: string | null): { data: string } => ({
    data: JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] }),
  });
  return [
    piece({ role: 'assistant', content: '' }, null),
    ...words.map((content) => piece({ content }, null)),
    piece({}, 'stop'),
    ...(includesUsage && said.usage !== null
      ? [{ data: JSON.stringify({ ...head, choices: [], ...usageOf('chat', said) }) }]
      : []),
    { data: '[DONE]' },
  ];
}

function messageStream(said: Said, words: readonly string[]): { event: string; data: string }[] {
  const named = (type: string, more: Record<string, unknown>): { event: string; data: string } => ({
    event: type,
    data: JSON.stringify({ type, ...more }),
  });
  const { usage } = usageOf('messages', said);
  const all = isRecord(usage) ? usage : {};
  const begun = usage === undefined ? {} : { usage: { ...all, output_tokens: 1 } };
  const ended = usage === undefined ? {} : { usage: { output_tokens: all['output_tokens'] } };
  const message = { ...wholeAnswer('messages', said), content: [], stop_reason: null };
  return [
    named('message_start', { message: { ...message, usage: undefined, ...begun } }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    named('ping', {}),
    ...words.map((text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    named('content_block_stop', { index: 0 }),
    named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, ...ended }),
    named('message_stop', {}),
  ];
}

function responseOf(said: Said, status: string, usage: { usage?: unknown }): Record<string, unknown> {
  const { id, model, text } = said;
  const content = [{ type: 'output_text', text, annotations: [] }];
  const item = { id: `msg_${id}`, type: 'message', status: 'completed', role: 'assistant', content };
  return {
    id,
    object: 'response',
    created_at: 1,
    status,
    error: null,
    model,
    output: status === 'completed' ? [item] : [],
    ...usage,
  };
}

function responseStream(said: Said, words: readonly string[]): { event: string; data: string }[] {
  let sequence = 0;
  const named = (type: string, more: Record<string, unknown>): { event: string; data: string } => ({
    event: type,
    data: JSON.stringify({ type, sequence_number: sequence++, ...more }),
  });
  const place = { item_id: `msg_${said.id}`, output_index: 0, content_index: 0 };
  return [
    named('response.created', { response: responseOf(said, 'in_progress', {}) }),
    named('response.output_item.added', {
      output_index: 0,
      item: { id: place.item_id, type: 'message', status: 'in_progress', role: 'assistant', content: [] },
    }),
    named('response.content_part.added', {
      ...place,
      part: { type: 'output_text', text: '', annotations: [] },
    }),
    ...words.map((delta) => named('response.output_text.delta', { ...place, delta })),
    named('response.output_text.done', { ...place, text: said.text }),
    named('response.completed', { response: responseOf(said, 'completed', usageOf('responses', said)) }),
  ];
}
