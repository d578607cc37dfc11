import type { ModelCall } from './model-call';

/** A reply of a scripted model: text, a tool call, an HTTP failure, or a hang. */
export type ModelReply =
  | { readonly kind: 'text'; readonly text: string; readonly halts?: true }
  | { readonly kind: 'tool'; readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'failure'; readonly status: number; readonly message: string }
  | { readonly kind: 'hang'; readonly then: ModelReply };

/** Builders of the replies for a script. */
export const reply = {
  text: (text: string): ModelReply => ({ kind: 'text', text }),
  /** Hangs after the first word, where it is streamed, until the model's `release()`. */
  halting: (text: string): ModelReply => ({ kind: 'text', text, halts: true }),
  tool: (name: string, args: Readonly<Record<string, unknown>>): ModelReply => ({ kind: 'tool', name, args }),
  /** Runs a command in the sandbox; `timeout` in seconds is how long the agent waits for it. */
  terminal: (command: string, timeout?: number): ModelReply =>
    reply.tool('terminal', { command, ...(timeout === undefined ? {} : { timeout }) }),
  think: (thought: string): ModelReply => reply.tool('think', { thought }),
  finish: (message: string): ModelReply => reply.tool('finish', { message }),
  failure: (status: number, message = 'The script says no.'): ModelReply => ({
    kind: 'failure',
    status,
    message,
  }),
  /** Hangs until the model's `release()`, then gives another reply. */
  hang: (then: ModelReply = reply.text('Released.')): ModelReply => ({ kind: 'hang', then }),
};

type Spoken = Extract<ModelReply, { kind: 'text' | 'tool' }>;

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** The body of a chat completion. */
export function completion(id: string, call: ModelCall, spoken: Spoken): Record<string, unknown> {
  const choice = { index: 0, message: messageOf(id, spoken), finish_reason: finishReason(spoken) };
  return { ...head(id, call, 'chat.completion'), choices: [choice], usage: usageOf(call, spoken) };
}

/** The same as server-sent chunks: word by word, or the whole tool call; then the finish reason, the usage. */
export function completionChunks(id: string, call: ModelCall, spoken: Spoken): Record<string, unknown>[] {
  const start = head(id, call, 'chat.completion.chunk');
  return [
    ...deltasOf(id, spoken).map((delta) => ({
      ...start,
      choices: [{ index: 0, delta, finish_reason: null }],
    })),
    { ...start, choices: [{ index: 0, delta: {}, finish_reason: finishReason(spoken) }] },
    { ...start, choices: [], usage: usageOf(call, spoken) },
  ];
}

function head(id: string, call: ModelCall, object: string): Record<string, unknown> {
  return { id, object, created: Math.floor(Date.now() / 1000), model: call.model };
}

function messageOf(id: string, spoken: Spoken) {
  const role = 'assistant';
  if (spoken.kind === 'text') return { role, content: spoken.text };
  const called = { name: spoken.name, arguments: JSON.stringify(spoken.args) };
  return { role, content: null, tool_calls: [{ id: `call-${id}`, type: 'function', function: called }] };
}

/** What a message comes in: each word with the space before it. */
function deltasOf(id: string, spoken: Spoken): Record<string, unknown>[] {
  const { tool_calls: toolCalls, ...message } = messageOf(id, spoken);
  if (toolCalls !== undefined) return [{ ...message, tool_calls: toolCalls.map(withIndex) }];
  const words = message.content?.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? [''];
  return words.map((content) => ({ role: message.role, content }));
}

function withIndex<T extends object>(toolCall: T, index: number): T & { index: number } {
  return { ...toolCall, index };
}

function finishReason(spoken: Spoken): string {
  return spoken.kind === 'text' ? 'stop' : 'tool_calls';
}

/** Estimates four characters per token; never 0. */
function usageOf(call: ModelCall, spoken: Spoken): Usage {
  const prompt = tokens(JSON.stringify(call.body['messages']));
  const text = spoken.kind === 'text' ? spoken.text : JSON.stringify(spoken.args);
  const answer = tokens(text);
  return { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer };
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4) || 1;
}
