import {
  anything,
  boolean,
  dictionary,
  Field,
  integer,
  list,
  literal,
  model,
  oneOf,
  string,
} from '../../../kernel/validation';
import { McpServerView } from '../mcp/mcp.dto';
import { LlmOptions } from '../model-settings/llm-options.dto';
import { SECURITY_ANALYZERS, type SecurityAnalyzer } from '../record/security-analyzer';
import { modelName } from '../model-settings/model-fields';

/** The model as shown: without its key. */
class LlmSettings extends LlmOptions {
  @Field(modelName(), {
    nullable: true,
    description: 'Model that conversations run on.',
    example: 'openai/gpt-5',
  })
  model!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'Base address of its API, without a user, password or query.',
    example: 'https://models.example.com/v1',
  })
  base_url!: string | null;
}

/** When histories are condensed. */
export class CondenserSettings {
  @Field(boolean(), { description: 'Whether long histories are summarized.', example: true })
  enabled!: boolean;

  @Field(integer(), { description: 'Events after which that happens.', example: 240 })
  max_size!: number;
}

/** Settings of a conversation's agent. */
class AgentSettingsView {
  @Field(literal('openhands'), { description: 'The only kind there is.' })
  agent_kind!: 'openhands';

  @Field(model(() => LlmSettings), { description: 'The model.' })
  llm!: LlmSettings;

  @Field(model(() => CondenserSettings), { description: 'How histories are shortened.' })
  condenser!: CondenserSettings;

  @Field(dictionary(model(() => McpServerView)), {
    description: 'Servers with tools for agents, by name, secrets redacted.',
    example: {},
  })
  mcp_config!: Record<string, McpServerView>;
}

/** Settings of a conversation. */
class ConversationSettingsView {
  @Field(boolean(), { description: 'Whether actions wait for a confirmation.', example: false })
  confirmation_mode!: boolean;

  @Field(oneOf(SECURITY_ANALYZERS), {
    nullable: true,
    description: 'With `llm` only risky actions wait.',
    example: null,
  })
  security_analyzer!: SecurityAnalyzer | null;

  @Field(integer(), {
    nullable: true,
    description: 'Most steps of one run; null for the default of the agent server.',
    example: 500,
  })
  max_iterations!: number | null;
}

/** A user's settings as they apply in the effective organization (docs/contract.md#agent-settings). */
export class UserSettings {
  @Field(model(() => AgentSettingsView), { description: 'What agents are made of.' })
  agent_settings!: AgentSettingsView;

  @Field(model(() => ConversationSettingsView), { description: 'How conversations run.' })
  conversation_settings!: ConversationSettingsView;

  @Field(string(), { nullable: true, description: 'As in `agent_settings`.', example: 'openai/gpt-5' })
  llm_model!: string | null;

  @Field(string(), { nullable: true, description: 'As in `agent_settings`.', example: null })
  llm_base_url!: string | null;

  @Field(boolean(), {
    description: 'Whether conversations have a key for their model, of whatever level, or need none.',
    example: true,
  })
  llm_api_key_set!: boolean;

  @Field(boolean(), { description: 'Always false: no key of a search is kept.', example: false })
  search_api_key_set!: boolean;

  @Field(dictionary(model(() => McpServerView)), { description: 'As in `agent_settings`.', example: {} })
  mcp_config!: Record<string, McpServerView>;

  @Field(dictionary(anything()), {
    description:
      'The providers of repositories that there is a git credential for, each with its host; null for its public one.',
    example: { github: null, gitlab: 'gitlab.example.com' },
  })
  provider_tokens_set!: Record<string, unknown>;

  @Field(string(), { nullable: true, description: 'Language of the interface.', example: 'en' })
  language!: string | null;

  @Field(list(string()), { description: 'Names of skills that conversations start without.', example: [] })
  disabled_skills!: string[];

  @Field(boolean(), { description: 'Whether the interface makes sounds.', example: true })
  enable_sound_notifications!: boolean;

  @Field(string(), { nullable: true, description: 'Author of commits.', example: 'Robin' })
  git_user_name!: string | null;

  @Field(string(), { nullable: true, description: 'Address of the author.', example: 'member@example.com' })
  git_user_email!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'Always null: titles come from the model of the conversation.',
    example: null,
  })
  title_llm_profile!: string | null;

  @Field(boolean(), {
    description: 'Whether you agreed to be counted; false until you say so.',
    example: false,
  })
  user_consents_to_analytics!: boolean;
}
