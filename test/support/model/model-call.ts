import { z } from 'zod';

const contentSchema = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
]);

const callSchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema.nullish() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).nullish(),
  stream: z.boolean().nullish(),
});

/** A request for a chat completion. */
export interface ModelCall {
  readonly model: string;
  /** The text of the newest user message, its blocks on lines of their own. */
  readonly lastUserText: string;
  /** The number of assistant messages since that one. */
  readonly repliesSinceUser: number;
  /** Names of the tools the model may call; none when only a title is wanted. */
  readonly tools: readonly string[];
  readonly stream: boolean;
  readonly authorization: string | undefined;
  /** The whole request body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Parses the body of a chat completion call. @throws when it is not one */
export function readModelCall(body: string, authorization: string | undefined): ModelCall {
  const call = callSchema.parse(JSON.parse(body));
  const last = call.messages.findLastIndex(({ role }) => role === 'user');
  return {
    model: call.model,
    lastUserText: textOf(call.messages[last]?.content),
    repliesSinceUser: call.messages.slice(last + 1).filter(({ role }) => role === 'assistant').length,
    tools: (call.tools ?? []).map((tool) => tool.function.name),
    stream: call.stream ?? false,
    authorization,
    body: call,
  };
}

function textOf(content: z.infer<typeof contentSchema> | null | undefined): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  return content.flatMap(({ text }) => (text === undefined ? [] : [text])).join('\n');
}
