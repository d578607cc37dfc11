import { boolean, Field, integer, string } from '../../../kernel/validation';

/** Why a conversation is stopped. */
export class StopRequest {
  @Field(string({ trim: true, minLength: 1, maxLength: 500 }), {
    description: 'Why; its creator reads it.',
    example: 'It works on the wrong repository.',
  })
  reason!: string;
}

/** What was stopped. */
export class StopResponse {
  @Field(boolean(), {
    description:
      'Whether there was anything to stop: an agent that ran or was to run, or queued messages. Where there was not, nothing was recorded either.',
    example: true,
  })
  stopped!: boolean;

  @Field(integer(), {
    description: 'How many queued messages failed; their texts are still listed.',
    example: 1,
  })
  failed_messages!: number;
}
