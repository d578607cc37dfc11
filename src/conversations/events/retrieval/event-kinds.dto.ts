import { ApiProperty } from '@nestjs/swagger';
import { anything, dictionary, Field, integer, list, literal, string } from '../../../kernel/validation';
import { ConversationEvent } from './tool-events.dto';

/** The history the model is shown is being condensed. */
export class Condensation extends ConversationEvent {
  @Field(literal('Condensation'), { description: 'Kind of the event.' })
  kind!: 'Condensation';

  @Field(string(), {
    description: 'Id of the completion or response of the model that produced it.',
    example: 'chatcmpl-8a1f',
  })
  llm_response_id!: string;

  @Field(list(string()), {
    description: 'Ids of the events that the model is not shown any more.',
    example: ['469ec610-2ab5-4bec-a843-b6c38639d41b'],
  })
  forgotten_event_ids!: string[];

  @Field(string(), {
    optional: true,
    nullable: true,
    description: 'Summary of the forgotten events.',
    example: 'The tests were repaired.',
  })
  summary?: string | null;

  @Field(integer({ ge: 0 }), {
    optional: true,
    nullable: true,
    description: 'Where the summary stands in the resulting view; without it, nowhere.',
    example: 0,
  })
  summary_offset?: number | null;
}

/** The history is to be condensed. */
export class CondensationRequest extends ConversationEvent {
  @Field(literal('CondensationRequest'), { description: 'Kind of the event.' })
  kind!: 'CondensationRequest';
}

/** The summary that stands for forgotten events. */
export class CondensationSummaryEvent extends ConversationEvent {
  @Field(literal('CondensationSummaryEvent'), { description: 'Kind of the event.' })
  kind!: 'CondensationSummaryEvent';

  @Field(string(), { description: 'The summary.', example: 'The tests were repaired.' })
  summary!: string;
}

/** The conversation failed. */
export class ConversationErrorEvent extends ConversationEvent {
  @Field(literal('ConversationErrorEvent'), { description: 'Kind of the event.' })
  kind!: 'ConversationErrorEvent';

  @Field(string(), { description: 'What failed, for programs.', example: 'LLMAuthenticationError' })
  code!: string;

  @Field(string(), { description: 'What failed, for people.', example: 'The model refused the key.' })
  detail!: string;

  @Field(dictionary(anything()), {
    optional: true,
    nullable: true,
    description: 'Of which kind the failure is, and whether a repetition may help.',
    example: { kind: 'auth', retryable: false },
  })
  classification?: Record<string, unknown> | null;
}

/** A part of the state of the conversation changed. */
export class ConversationStateUpdateEvent extends ConversationEvent {
  @Field(literal('ConversationStateUpdateEvent'), { description: 'Kind of the event.' })
  kind!: 'ConversationStateUpdateEvent';

  @Field(string(), { description: 'The part, or `full_state`.', example: 'execution_status' })
  key!: string;

  @Field(anything(), { optional: true, description: 'What it is now.', example: 'running' })
  value?: unknown;
}

/** A call of the model, for its log. */
export class LLMCompletionLogEvent extends ConversationEvent {
  @Field(literal('LLMCompletionLogEvent'), { description: 'Kind of the event.' })
  kind!: 'LLMCompletionLogEvent';

  @Field(string(), { description: 'Name of the log file.', example: 'completion-1.json' })
  filename!: string;

  @Field(string(), { description: 'Content of the log file.', example: '{}' })
  log_data!: string;

  @Field(string(), {
    optional: true,
    nullable: true,
    description: 'Model that was called.',
    example: 'anthropic/claude-sonnet',
  })
  model_name?: string | null;

  @Field(string(), {
    optional: true,
    nullable: true,
    description: 'What the model was called for.',
    example: 'agent',
  })
  usage_id?: string | null;
}

/** A message. */
export class MessageEvent extends ConversationEvent {
  @Field(literal('MessageEvent'), { description: 'Kind of the event.' })
  kind!: 'MessageEvent';

  @Field(dictionary(anything()), {
    description: 'The message, with `role` and `content`.',
    example: { role: 'assistant', content: [{ type: 'text', text: 'All tests pass.' }] },
  })
  llm_message!: Record<string, unknown>;

  @Field(string(), {
    optional: true,
    nullable: true,
    description: 'Id of the response of the model, for messages of the agent.',
    example: 'chatcmpl-8a1f',
  })
  llm_response_id?: string | null;

  @Field(list(string()), {
    optional: true,
    nullable: true,
    description: 'Skills that the message brought up.',
    example: [],
  })
  activated_skills?: string[] | null;

  @Field(list(dictionary(anything())), {
    optional: true,
    nullable: true,
    description: 'What was added to the message for the model.',
    example: [],
  })
  extended_content?: Record<string, unknown>[] | null;

  @Field(string(), {
    optional: true,
    nullable: true,
    description: 'Who sent it, where that is more than the role.',
    example: 'owner',
  })
  sender?: string | null;
}

/** The system prompt, before all messages. */
export class SystemPromptEvent extends ConversationEvent {
  @Field(literal('SystemPromptEvent'), { description: 'Kind of the event.' })
  kind!: 'SystemPromptEvent';

  @Field(dictionary(anything()), {
    description: 'The prompt, as a text block.',
    example: { type: 'text', text: 'You are a software engineer.' },
  })
  system_prompt!: Record<string, unknown>;

  @Field(list(dictionary(anything())), { description: 'The tools it has.', example: [] })
  tools!: Record<string, unknown>[];

  @Field(dictionary(anything()), {
    optional: true,
    nullable: true,
    description: 'What of the prompt belongs to this conversation, as a text block.',
    example: { type: 'text', text: 'The repository is acme/shop.' },
  })
  dynamic_context?: Record<string, unknown> | null;
}

/** The tokens of a call of the model. */
export class TokenEvent extends ConversationEvent {
  @Field(literal('TokenEvent'), { description: 'Kind of the event.' })
  kind!: 'TokenEvent';

  @Field(list(integer()), { description: 'Ids of the tokens sent.', example: [1, 2] })
  prompt_token_ids!: number[];

  @Field(list(integer()), { description: 'Ids of the tokens answered.', example: [3] })
  response_token_ids!: number[];
}

/** The conversation was paused. */
export class PauseEvent extends ConversationEvent {
  @Field(literal('PauseEvent'), { description: 'Kind of the event.' })
  kind!: 'PauseEvent';
}

/** An event of a kind that this version does not know. */
export class OtherEvent extends ConversationEvent {
  @ApiProperty({
    type: 'string',
    description: 'A kind that is none of the others.',
    not: {
      enum: [
        'Condensation',
        'CondensationRequest',
        'CondensationSummaryEvent',
        'ConversationErrorEvent',
        'ConversationStateUpdateEvent',
        'LLMCompletionLogEvent',
        'ActionEvent',
        'MessageEvent',
        'AgentErrorEvent',
        'ObservationEvent',
        'UserRejectObservation',
        'SystemPromptEvent',
        'TokenEvent',
        'PauseEvent',
      ],
    },
    example: 'InterruptEvent',
  })
  kind!: string;
}
