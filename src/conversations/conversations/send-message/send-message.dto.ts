import {
  boolean,
  Field,
  integer,
  list,
  literal,
  oneOf,
  string,
  uuid,
  rawJsonAt,
  type FieldType,
  ForbidExtraKeys,
  union,
} from '../../../kernel/validation';
import { SANDBOX_STATUSES, type SandboxStatus } from '../../../sandboxes/sandboxes';

/** A text in a message (docs/contract.md#content-blocks). */
@ForbidExtraKeys()
class TextContent {
  @Field(boolean(), { description: 'Whether a model that can may cache the prompt up to here.' })
  cache_prompt = false;

  @Field(literal('text'), { description: 'Tells texts from images.' })
  type = 'text' as const;

  @Field(string(), { description: 'The text.', example: 'Fix the flaky login test.' })
  text!: string;
}

/** Images in a message (docs/contract.md#content-blocks). */
class ImageContent {
  @Field(boolean(), { description: 'Whether a model that can may cache the prompt up to here.' })
  cache_prompt = false;

  @Field(literal('image'), { description: 'Tells images from texts.' })
  type = 'image' as const;

  @Field(list(string()), {
    description: 'Addresses or data URLs of the images.',
    example: ['https://example.com/screenshot.png'],
  })
  image_urls!: string[];
}

/** A block of a message's content. */
export type ContentBlock = TextContent | ImageContent;

/** A {@link ContentBlock} as code gives it. */
export type GivenContentBlock = WithDefaults<TextContent> | WithDefaults<ImageContent>;
type WithDefaults<Block extends ContentBlock> = Omit<Block, 'cache_prompt'> &
  Partial<Pick<Block, 'cache_prompt'>>;

/** The declared type of a {@link ContentBlock}. */
export function contentBlock(): FieldType<ContentBlock> {
  return union(
    () => TextContent,
    () => ImageContent,
  );
}

/** A follow-up message (docs/contract.md#send-message). */
export class AppSendMessageRequest {
  @Field(literal('user'), { description: 'Only `user` is supported.' })
  role = 'user' as const;

  @Field(list(contentBlock(), { min: 1 }), {
    description: 'Text and image blocks.',
    example: [{ type: 'text', text: 'Now run the tests again.' }],
  })
  content!: ContentBlock[];

  @Field(boolean(), { description: 'Whether the agent runs after the message.' })
  run = true;
}

/** The handling of a message to a sandbox that does not run (docs/contract.md#waking-a-sandbox). */
export class SendMessageQuery {
  @Field(literal('resume'), {
    optional: true,
    description:
      '`resume` resumes a sandbox that does not run, and queues the message for it (202). Without it such a sandbox is a 409.',
    example: 'resume',
  })
  wait?: 'resume';
}

/** A message that waits for its sandbox (docs/contract.md#waking-a-sandbox). */
export class QueuedSendResponse {
  @Field(uuid(), {
    description: 'Id of the message in the queue of the conversation.',
    example: '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11',
  })
  id!: string;

  @Field(boolean(), { description: 'Always true.', example: true })
  queued!: boolean;

  @Field(literal('queued'), { description: 'Where it is on its way; the queue shows it from here on.' })
  state!: 'queued';

  @Field(integer(), {
    description: 'Place among the messages that are not delivered yet, from 1.',
    example: 1,
  })
  position!: number;

  @Field(literal('steer'), { description: 'How it goes to an agent that runs: at once.' })
  mode!: 'steer';

  @Field(oneOf(SANDBOX_STATUSES), {
    description: 'Status of the sandbox after the operation.',
    example: 'STARTING',
  })
  sandbox_status!: SandboxStatus;
}

/** The outcome of a message (docs/contract.md#send-message). */
export class AppSendMessageResponse {
  @Field(boolean(), { description: 'Whether the message was sent to the agent.', example: true })
  success!: boolean;

  @Field(oneOf(SANDBOX_STATUSES), {
    description: 'Status of the sandbox after the operation.',
    example: 'RUNNING',
  })
  sandbox_status!: SandboxStatus;

  @Field(string(), { optional: true, nullable: true, description: 'Details.' })
  message?: string | null;
}

/**
 * The JSON text of a message's content as it came (docs/contract.md#values-that-cannot-be-stored).
 * @param body the text of the request
 * @param path where the content is in it
 * @returns null when it is not there
 */
export function contentJson(body: string, path: readonly string[]): string | null {
  return rawJsonAt(body, path) ?? null;
}

/**
 * The message as it goes to the agent server: the content verbatim, the rest typed
 * (docs/contract.md#send-message).
 */
export function forwardedMessage(
  { role, run }: Pick<AppSendMessageRequest, 'role' | 'run'>,
  body: string,
): string {
  return messageJson(role, contentJson(body, ['content']) ?? '[]', run);
}

/** `{role, content, run}` as JSON text. @param content JSON text */
export function messageJson(role: string, content: string, run: boolean): string {
  return `{"role":${JSON.stringify(role)},"content":${content},"run":${run}}`;
}
