import { boolean, Field, list, literal, oneOf, string } from '../../validation';
import { type ContentBlock, contentBlock } from './content-blocks.dto';
import { SANDBOX_STATUSES, type SandboxStatus } from '../../sandboxes';

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

/** What became of a message (docs/contract.md#send-message). */
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
