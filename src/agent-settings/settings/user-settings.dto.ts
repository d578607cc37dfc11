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
} from '../../validation';
import { patchProblem } from '../mcp/mcp-config';
import { McpServerView } from '../mcp/mcp.dto';
import { SECURITY_ANALYZERS, type SecurityAnalyzer } from '../record/security-analyzer';
import {
  MAX_DISABLED_SKILLS,
  MAX_GIT_EMAIL,
  MAX_GIT_NAME,
  MAX_LANGUAGE,
  MAX_SKILL_NAME,
} from '../record/text-limits';
import { baseUrl, modelKey, modelName } from '../record/model-fields';

/** The model as shown: without its key. */
export class LlmSettings {
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
  @Field(boolean(), { description: 'Whether long histories are summarized.', example: false })
  enabled!: boolean;

  @Field(integer(), { description: 'Events after which that happens.', example: 240 })
  max_size!: number;
}

/** Settings of a conversation's agent. */
export class AgentSettingsView {
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
export class ConversationSettingsView {
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

/** Changes to the model; null resets a field. */
export class LlmSettingsDiff {
  @Field(modelName(), { optional: true, nullable: true, description: 'Model.', example: 'openai/gpt-5' })
  model?: string | null;

  @Field(baseUrl(), {
    optional: true,
    nullable: true,
    description: 'Base address of its API. With another host the key goes, unless one comes along.',
    example: 'https://models.example.com/v1',
  })
  base_url?: string | null;

  @Field(modelKey(), {
    optional: true,
    nullable: true,
    description: 'Key for that API. Kept encrypted; never answered.',
    example: 'sk-example',
  })
  api_key?: string | null;
}

/** Changes to the condenser; null resets a field. */
export class CondenserSettingsDiff {
  @Field(boolean(), { optional: true, nullable: true, description: 'Whether long histories are summarized.' })
  enabled?: boolean | null;

  @Field(integer({ ge: 20, le: 10_000 }), {
    optional: true,
    nullable: true,
    description: 'Events after which that happens.',
    example: 240,
  })
  max_size?: number | null;
}

/** Changes to the agent settings: a merge patch, in which null resets a field. */
export class AgentSettingsDiff {
  @Field(literal('openhands'), { optional: true, nullable: true, description: 'The only kind there is.' })
  agent_kind?: 'openhands' | null;

  @Field(model(() => LlmSettingsDiff), { optional: true, nullable: true, description: 'The model.' })
  llm?: LlmSettingsDiff | null;

  @Field(model(() => CondenserSettingsDiff), {
    optional: true,
    nullable: true,
    description: 'How histories are shortened.',
  })
  condenser?: CondenserSettingsDiff | null;

  @Field(dictionary(anything(), { rule: patchProblem }), {
    optional: true,
    nullable: true,
    description:
      'Servers with tools for agents, by name: a merge patch too. Kept encrypted; a redacted value leaves the one that is there.',
    example: {
      tickets: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer example' } },
    },
  })
  mcp_config?: Record<string, unknown> | null;
}

/** Changes to the conversation settings; null resets a field. */
export class ConversationSettingsDiff {
  @Field(boolean(), {
    optional: true,
    nullable: true,
    description: 'Whether actions wait for a confirmation.',
  })
  confirmation_mode?: boolean | null;

  @Field(oneOf(SECURITY_ANALYZERS), {
    optional: true,
    nullable: true,
    description: 'With `llm` only risky actions wait.',
  })
  security_analyzer?: SecurityAnalyzer | null;

  @Field(integer({ ge: 1, le: 10_000 }), {
    optional: true,
    nullable: true,
    description: 'Most steps of one run.',
    example: 500,
  })
  max_iterations?: number | null;
}

/** Changes to a user's settings; absent fields stay (docs/contract.md#agent-settings). */
export class UserSettingsUpdate extends ConversationSettingsDiff {
  @Field(model(() => AgentSettingsDiff), { optional: true, nullable: true, description: 'A merge patch.' })
  agent_settings_diff?: AgentSettingsDiff | null;

  @Field(model(() => ConversationSettingsDiff), {
    optional: true,
    nullable: true,
    description: 'A merge patch.',
  })
  conversation_settings_diff?: ConversationSettingsDiff | null;

  @Field(modelName(), { optional: true, nullable: true, description: 'As `model` of the diff.' })
  llm_model?: string | null;

  @Field(baseUrl(), { optional: true, nullable: true, description: 'As `base_url` of the diff.' })
  llm_base_url?: string | null;

  @Field(modelKey(), { optional: true, nullable: true, description: 'As `api_key` of the diff.' })
  llm_api_key?: string | null;

  @Field(boolean(), { optional: true, nullable: true, description: 'As `enabled` of the condenser.' })
  enable_default_condenser?: boolean | null;

  @Field(integer({ ge: 20, le: 10_000 }), {
    optional: true,
    nullable: true,
    description: 'As `max_size` of the condenser.',
  })
  condenser_max_size?: number | null;

  @Field(string({ trim: true, maxLength: MAX_LANGUAGE }), {
    optional: true,
    nullable: true,
    description: 'Language of the interface.',
    example: 'en',
  })
  language?: string | null;

  @Field(list(string({ maxLength: MAX_SKILL_NAME }), { max: MAX_DISABLED_SKILLS }), {
    optional: true,
    nullable: true,
    description: 'Names of skills that conversations start without; null for none.',
  })
  disabled_skills?: string[] | null;

  @Field(boolean(), { optional: true, nullable: true, description: 'Whether the interface makes sounds.' })
  enable_sound_notifications?: boolean | null;

  @Field(string({ trim: true, maxLength: MAX_GIT_NAME }), {
    optional: true,
    nullable: true,
    description: 'Author of commits.',
    example: 'Robin',
  })
  git_user_name?: string | null;

  @Field(string({ trim: true, maxLength: MAX_GIT_EMAIL }), {
    optional: true,
    nullable: true,
    description: 'Address of the author.',
    example: 'member@example.com',
  })
  git_user_email?: string | null;

  @Field(boolean(), { optional: true, nullable: true, description: 'Whether you agree to be counted.' })
  user_consents_to_analytics?: boolean | null;
}
