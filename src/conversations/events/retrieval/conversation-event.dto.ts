import { Field, string } from '../../../kernel/validation';

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
