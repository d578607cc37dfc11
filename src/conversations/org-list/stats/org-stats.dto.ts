import { Field, integer, list, model, number, string } from '../../../validation';

/** How many conversations are in which execution status. */
export class ConversationsByStatus {
  @Field(integer(), { example: 3 }) idle!: number;
  @Field(integer(), { example: 1 }) running!: number;
  @Field(integer(), { example: 0 }) paused!: number;
  @Field(integer(), { example: 40 }) finished!: number;
  @Field(integer(), { example: 2 }) error!: number;
  @Field(integer(), { example: 0 }) stuck!: number;
  @Field(integer(), { description: 'Not started yet, or never.', example: 0 }) none!: number;
}

/** How many conversations were created lately. */
export class ConversationsByWindow {
  @Field(integer(), { example: 4 }) '7d'!: number;
  @Field(integer(), { example: 20 }) '30d'!: number;
  @Field(integer(), { example: 46 }) '90d'!: number;
}

/** How many sandboxes of the organization show which status. */
export class SandboxesByStatus {
  @Field(integer(), { example: 0 }) STARTING!: number;
  @Field(integer(), { example: 1 }) RUNNING!: number;
  @Field(integer(), { example: 4 }) PAUSED!: number;
  @Field(integer(), { example: 0 }) ERROR!: number;
  @Field(integer(), { description: 'Gone.', example: 35 }) MISSING!: number;
}

/** What was used together. */
export class ConversationUsage {
  @Field(integer(), { example: 46 }) conversations!: number;
  @Field(number(), { description: 'Cost in US dollars.', example: 12.5 }) accumulated_cost!: number;
  @Field(integer(), { example: 330_000 }) prompt_tokens!: number;
  @Field(integer(), { example: 90_000 }) completion_tokens!: number;
  @Field(integer(), { description: 'Of prompt and completion together.', example: 420_000 })
  total_tokens!: number;
  @Field(integer(), { example: 0 }) cache_read_tokens!: number;
  @Field(integer(), { example: 0 }) cache_write_tokens!: number;
}

/** What was used with one model. */
export class ModelUsage extends ConversationUsage {
  @Field(string(), { nullable: true, example: 'anthropic/claude-sonnet' }) llm_model!: string | null;
}

/** The statistics of an organization's conversations, sub-conversations included. */
export class OrgConversationStats {
  @Field(integer(), { example: 46 })
  total_conversations!: number;

  @Field(integer(), { description: 'How many of them belong to another one.', example: 6 })
  sub_conversations!: number;

  @Field(model(() => ConversationsByStatus))
  by_execution_status!: ConversationsByStatus;

  @Field(model(() => ConversationsByWindow))
  created_within!: ConversationsByWindow;

  @Field(model(() => SandboxesByStatus))
  sandboxes!: SandboxesByStatus;

  @Field(model(() => ConversationUsage))
  usage!: ConversationUsage;

  @Field(list(model(() => ModelUsage)), { description: 'The 50 models with most conversations.' })
  by_model!: ModelUsage[];
}
