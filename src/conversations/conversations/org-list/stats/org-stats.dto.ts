import { Field, integer, list, model, number, string } from '../../../../kernel/validation';
import { CostAndTokens } from '../../app-conversations/conversation-metrics.dto';

/** How many conversations are in which execution status. */
export class ConversationsByStatus {
  @Field(integer(), { description: 'Waiting for a message.', example: 3 }) idle!: number;
  @Field(integer(), { description: 'At work.', example: 1 }) running!: number;
  @Field(integer(), { description: 'Paused.', example: 0 }) paused!: number;
  @Field(integer(), { description: 'Done.', example: 40 }) finished!: number;
  @Field(integer(), { description: 'Failed.', example: 2 }) error!: number;
  @Field(integer(), { description: 'Going round in circles.', example: 0 }) stuck!: number;
  @Field(integer(), { description: 'Not started yet, or never.', example: 0 }) none!: number;
}

/** How many conversations were created lately. */
export class ConversationsByWindow {
  @Field(integer(), { description: 'In the last 7 days.', example: 4 }) '7d'!: number;
  @Field(integer(), { description: 'In the last 30 days.', example: 20 }) '30d'!: number;
  @Field(integer(), { description: 'In the last 90 days.', example: 46 }) '90d'!: number;
}

/** How many sandboxes of the organization show which status. */
export class SandboxesByStatus {
  @Field(integer(), { description: 'On their way up.', example: 0 }) STARTING!: number;
  @Field(integer(), { description: 'Running.', example: 1 }) RUNNING!: number;
  @Field(integer(), { description: 'Paused.', example: 4 }) PAUSED!: number;
  @Field(integer(), { description: 'Failed.', example: 0 }) ERROR!: number;
  @Field(integer(), { description: 'Gone.', example: 35 }) MISSING!: number;
}

/** What was used together. */
export class ConversationUsage extends CostAndTokens {
  @Field(integer(), { description: 'How many conversations these are.', example: 46 }) conversations!: number;
  @Field(integer(), { description: 'Of prompt and completion together.', example: 4200 })
  total_tokens!: number;
}

/** What was used with one model. */
class ModelUsage extends ConversationUsage {
  @Field(string(), {
    nullable: true,
    description: 'The model; null where none is known.',
    example: 'anthropic/claude-sonnet',
  })
  llm_model!: string | null;
}

/** The statistics of an organization's conversations, sub-conversations included. */
export class OrgConversationStats {
  @Field(integer(), { description: 'How many there are.', example: 46 })
  total_conversations!: number;

  @Field(integer(), { description: 'How many of them belong to another one.', example: 6 })
  sub_conversations!: number;

  @Field(model(() => ConversationsByStatus), { description: 'How many are in which execution status.' })
  by_execution_status!: ConversationsByStatus;

  @Field(model(() => ConversationsByWindow), { description: 'How many were created lately.' })
  created_within!: ConversationsByWindow;

  @Field(model(() => SandboxesByStatus), { description: 'How many sandboxes show which status.' })
  sandboxes!: SandboxesByStatus;

  @Field(model(() => ConversationUsage), { description: 'What all of them used together.' })
  usage!: ConversationUsage;

  @Field(list(model(() => ModelUsage)), { description: 'The 50 models with most conversations.' })
  by_model!: ModelUsage[];

  @Field(model(() => ConversationUsage), {
    description: 'What those conversations had used that retention removed; they count nowhere else here.',
  })
  removed!: ConversationUsage;

  @Field(integer(), { description: 'As `by_execution_status.running`.', example: 1 })
  active_conversations!: number;

  @Field(integer(), { description: 'As `sandboxes.RUNNING`.', example: 1 })
  running_runtimes!: number;

  @Field(integer(), {
    description: 'How many are `finished`, in `error` or `stuck`, and were updated in the last 24 hours.',
    example: 1,
  })
  completed_24h!: number;

  @Field(integer(), { description: 'The same, in the last 7 days.', example: 4 })
  completed_7d!: number;

  @Field(integer(), { description: 'The same, in the last 30 days.', example: 20 })
  completed_30d!: number;

  @Field(number(), { description: 'As `usage.accumulated_cost`.', example: 0.42 })
  total_cost!: number;

  @Field(integer(), { description: 'As `usage.prompt_tokens`.', example: 4000 })
  total_prompt_tokens!: number;

  @Field(integer(), { description: 'As `usage.completion_tokens`.', example: 200 })
  total_completion_tokens!: number;

  @Field(integer(), { description: 'As `usage.total_tokens`.', example: 4200 })
  total_tokens!: number;
}
