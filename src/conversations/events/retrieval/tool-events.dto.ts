import { anything, dictionary, Field, list, literal, string } from '../../../kernel/validation';

/** What all events have in common (docs/contract.md#event-kinds). */
export abstract class ConversationEvent {
  @Field(string(), {
    description: 'Id, unique within the conversation: a UUID or ULID.',
    example: '469ec610-2ab5-4bec-a843-b6c38639d41b',
  })
  id!: string;

  @Field(string(), { description: 'Time of the event, in UTC.', example: '2026-01-02T03:04:05.678901' })
  timestamp!: string;

  @Field(string(), { description: 'Whose event it is: agent, user or environment.', example: 'agent' })
  source!: string;

  @Field(string(), {
    optional: true,
    nullable: true,
    description: 'Id of the event it follows, where events form a tree.',
    example: '__root__',
  })
  parent_id?: string | null;
}

/** The agent uses a tool. */
export class ActionEvent extends ConversationEvent {
  @Field(literal('ActionEvent'), { description: 'Kind of the event.' })
  kind!: 'ActionEvent';

  @Field(list(dictionary(anything())), {
    description: 'What the agent says about it, as text blocks.',
    example: [{ type: 'text', text: 'I run the tests.' }],
  })
  thought!: Record<string, unknown>[];

  @Field(dictionary(anything()), {
    optional: true,
    nullable: true,
    description: 'The call, with a `kind`; null when it could not be read.',
    example: { kind: 'TerminalAction', command: 'npm test' },
  })
  action?: Record<string, unknown> | null;

  @Field(string(), { description: 'Name of the tool.', example: 'terminal' })
  tool_name!: string;

  @Field(string(), { description: 'Id of the call.', example: 'call_1' })
  tool_call_id!: string;

  @Field(dictionary(anything()), {
    description: 'The call as the model wrote it.',
    example: { id: 'call_1', name: 'terminal', arguments: '{}', origin: 'completion' },
  })
  tool_call!: Record<string, unknown>;

  @Field(string(), { description: 'Id of the response of the model.', example: 'chatcmpl-8a1f' })
  llm_response_id!: string;

  @Field(string(), {
    optional: true,
    nullable: true,
    description: 'How risky the agent holds it: UNKNOWN, LOW, MEDIUM or HIGH.',
    example: 'LOW',
  })
  security_risk?: string | null;

  @Field(string(), {
    optional: true,
    nullable: true,
    description: 'What the model reasoned.',
    example: 'The tests show what is wrong.',
  })
  reasoning_content?: string | null;

  @Field(string(), {
    optional: true,
    nullable: true,
    description: 'What it does, in a few words.',
    example: 'Run the tests',
  })
  summary?: string | null;
}

/** The agent used a tool in a way that does not work. */
export class AgentErrorEvent extends ConversationEvent {
  @Field(literal('AgentErrorEvent'), { description: 'Kind of the event.' })
  kind!: 'AgentErrorEvent';

  @Field(string(), { description: 'Name of the tool.', example: 'terminal' })
  tool_name!: string;

  @Field(string(), { description: 'Id of the call.', example: 'call_1' })
  tool_call_id!: string;

  @Field(string(), { description: 'What is wrong, for the model.', example: 'There is no such tool.' })
  error!: string;

  @Field(dictionary(anything()), {
    optional: true,
    nullable: true,
    description: 'Of which kind the failure is.',
    example: { kind: 'tool', retryable: false },
  })
  classification?: Record<string, unknown> | null;
}

/** What a tool answered. */
export class ObservationEvent extends ConversationEvent {
  @Field(literal('ObservationEvent'), { description: 'Kind of the event.' })
  kind!: 'ObservationEvent';

  @Field(string(), { description: 'Name of the tool.', example: 'terminal' })
  tool_name!: string;

  @Field(string(), { description: 'Id of the call.', example: 'call_1' })
  tool_call_id!: string;

  @Field(dictionary(anything()), {
    description: 'The answer, with a `kind`.',
    example: { kind: 'TerminalObservation', content: [], is_error: false },
  })
  observation!: Record<string, unknown>;

  @Field(string(), {
    description: 'Id of the event of the call.',
    example: '469ec610-2ab5-4bec-a843-b6c38639d41b',
  })
  action_id!: string;

  @Field(list(dictionary(anything())), {
    optional: true,
    nullable: true,
    description: 'What was added to the answer for the model.',
    example: [],
  })
  extended_content?: Record<string, unknown>[] | null;
}

/** A call was refused. */
export class UserRejectObservation extends ConversationEvent {
  @Field(literal('UserRejectObservation'), { description: 'Kind of the event.' })
  kind!: 'UserRejectObservation';

  @Field(string(), { description: 'Name of the tool.', example: 'terminal' })
  tool_name!: string;

  @Field(string(), { description: 'Id of the call.', example: 'call_1' })
  tool_call_id!: string;

  @Field(string(), { description: 'Why.', example: 'Not on the main branch.' })
  rejection_reason!: string;

  @Field(string(), {
    optional: true,
    nullable: true,
    description: 'Who refused it: `user` or `hook`.',
    example: 'user',
  })
  rejection_source?: string | null;

  @Field(string(), {
    description: 'Id of the event of the call.',
    example: '469ec610-2ab5-4bec-a843-b6c38639d41b',
  })
  action_id!: string;
}
