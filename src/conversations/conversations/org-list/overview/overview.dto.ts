import { dateTime, Field, integer, list, model, oneOf, string } from '../../../../kernel/validation';
import { SandboxesByStatus } from '../stats/org-stats.dto';

/** Queued messages that are not delivered yet. */
class QueueBacklog {
  @Field(integer(), { description: 'How many wait, or are on their way.', example: 2 })
  waiting!: number;

  @Field(dateTime(), {
    nullable: true,
    description: 'When the oldest of them was queued; null without any.',
    example: '2026-11-28T09:30:00.000Z',
  })
  oldest_at!: string | null;
}

/** Deliveries to webhooks. */
class DeliveryBacklog {
  @Field(integer(), { description: 'How many wait, or are on their way.', example: 3 })
  waiting!: number;

  @Field(integer(), { description: 'How many have failed for good in the last 24 hours.', example: 0 })
  failed_24h!: number;
}

/** Of what a conversation failed. */
const FAILED = ['start', 'run'] as const;

/** A conversation that failed. */
class FailedConversation {
  @Field(string(), { description: 'Its id.', example: '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11' })
  conversation_id!: string;

  @Field(string(), { nullable: true, description: 'Its title.', example: 'Repair the login' })
  title!: string | null;

  @Field(string(), { description: 'Its creator.', example: '3f333df6-90a4-4fda-8dd3-9485d27cee36' })
  user_id!: string;

  @Field(string(), {
    nullable: true,
    description: "The creator's e-mail address.",
    example: 'ada@example.com',
  })
  user_email!: string | null;

  @Field(oneOf(FAILED), { description: 'Whether its start failed, or the run of its agent.', example: 'run' })
  failed!: (typeof FAILED)[number];

  @Field(dateTime(), { description: 'When it was last updated.', example: '2026-11-28T09:30:00.000Z' })
  updated_at!: string;

  @Field(string(), {
    nullable: true,
    description:
      'What failed, for programs, as its agent reported it; null for a start, and where nothing is known.',
    example: 'LLMAuthenticationError',
  })
  code!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'What failed, for people; null where nothing is known.',
    example: 'The model refused the key.',
  })
  detail!: string | null;
}

/** How an organization's conversations, sandboxes, queues and webhooks stand. */
export class OrgOverview {
  @Field(model(() => SandboxesByStatus), { description: 'How many sandboxes show which status.' })
  sandboxes!: SandboxesByStatus;

  @Field(model(() => QueueBacklog), { description: 'Messages that wait for their conversations.' })
  queued_messages!: QueueBacklog;

  @Field(model(() => DeliveryBacklog), { description: 'Callbacks.' })
  webhook_deliveries!: DeliveryBacklog;

  @Field(list(model(() => FailedConversation)), {
    description:
      'Conversations whose start has failed or whose agent is in `error` or `stuck`, and that were updated in the last 24 hours: the latest 20.',
  })
  failures!: FailedConversation[];
}
